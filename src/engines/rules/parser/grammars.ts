/**
 * The tree-sitter grammars, out of the official packages. From source they are read as they are; in the executable
 * they are embedded compressed (scripts/compress-wasm.ts), and told apart by their first bytes.
 */

import hcl from "@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm" with { type: "file" };
import kotlin from "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm" with { type: "file" };
import yaml from "@tree-sitter-grammars/tree-sitter-yaml/tree-sitter-yaml.wasm" with { type: "file" };
import bash from "tree-sitter-bash/tree-sitter-bash.wasm" with { type: "file" };
import c from "tree-sitter-c/tree-sitter-c.wasm" with { type: "file" };
import csharp from "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm" with { type: "file" };
import cpp from "tree-sitter-cpp/tree-sitter-cpp.wasm" with { type: "file" };
import go from "tree-sitter-go/tree-sitter-go.wasm" with { type: "file" };
import java from "tree-sitter-java/tree-sitter-java.wasm" with { type: "file" };
import javascript from "tree-sitter-javascript/tree-sitter-javascript.wasm" with { type: "file" };
import json from "tree-sitter-json/tree-sitter-json.wasm" with { type: "file" };
import php from "tree-sitter-php/tree-sitter-php.wasm" with { type: "file" };
import python from "tree-sitter-python/tree-sitter-python.wasm" with { type: "file" };
import ruby from "tree-sitter-ruby/tree-sitter-ruby.wasm" with { type: "file" };
import rust from "tree-sitter-rust/tree-sitter-rust.wasm" with { type: "file" };
import tsx from "tree-sitter-typescript/tree-sitter-tsx.wasm" with { type: "file" };
import typescript from "tree-sitter-typescript/tree-sitter-typescript.wasm" with { type: "file" };
import type { Language } from "../languages.ts";

const grammars: Readonly<Record<Language, string>> = {
  bash,
  c,
  cpp,
  csharp,
  go,
  hcl,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  tsx,
  typescript,
  yaml,
};

const zstandardMagic = 0xfd2fb528;

export async function grammarBytes(language: Language): Promise<Uint8Array> {
  return readWasm(grammars[language]);
}

/** A WebAssembly module's bytes, whether it was embedded compressed or not. */
export async function readWasm(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(path).bytes();
  const magic = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return magic === zstandardMagic ? new Uint8Array(Bun.zstdDecompressSync(bytes)) : bytes;
}
