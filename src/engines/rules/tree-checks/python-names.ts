/** Names that every Python file knows, of Python 2 too, and those that notebooks and type checkers add. */
export const pythonBuiltIns: ReadonlySet<string> = new Set(
  `
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
    ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
    ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
    NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
    PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning
    StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True
    TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
    UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError abs aiter all anext any apply
    ascii basestring bin bool breakpoint buffer bytearray bytes callable chr classmethod cmp coerce compile
    complex copyright credits delattr dict dir display divmod enumerate eval exec execfile exit file filter float
    format frozenset get_ipython getattr gettext globals hasattr hash help hex id input int intern isinstance
    issubclass iter len license list locals long map max memoryview min next ngettext object oct open ord pow
    print property quit range raw_input reduce reload repr reveal_locals reveal_type reversed round set setattr
    slice sorted staticmethod str sum super tuple type unichr unicode vars xrange zip
  `
    .trim()
    .split(/\s+/),
);

/** Modules and their usual short names: `os.path` without `import os` is a forgotten import. */
export const commonModules: ReadonlySet<string> = new Set(
  `
    argparse ast asyncio base64 collections concurrent contextlib copy csv ctypes datetime decimal enum functools
    gc glob gzip hashlib heapq hmac html http importlib inspect io itertools json logging math mimetypes
    multiprocessing operator os pathlib pickle platform pprint queue random re secrets shlex shutil signal socket
    sqlite3 ssl statistics string struct subprocess sys tempfile textwrap threading time traceback typing unittest
    urllib uuid warnings weakref xml yaml zipfile zlib aiohttp boto3 httpx jwt np numpy pd pandas plt pytest
    requests sa sqlalchemy tf torch
  `
    .trim()
    .split(/\s+/),
);
