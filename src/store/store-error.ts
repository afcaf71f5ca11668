/** What went wrong in a database, in the words of the domain. What no caller can act on stays the error it was. */
import { AppError } from "../domain/errors.ts";

/** Seconds after which a caller may try again when the database was busy, full or away. */
const retryAfterSeconds = 1;

/** An error of bun:sqlite that crossed from the writer's thread: its code is all that is left to tell it by. */
export class SqliteFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "SqliteFailure";
    this.code = code;
  }
}

/** The SQLite result code (`SQLITE_BUSY`), PostgreSQL's SQLSTATE (`23505`) or Bun's (`ERR_POSTGRES_…`) of an error. */
export function databaseCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  if (code === "ERR_POSTGRES_SERVER_ERROR" && typeof errno === "string") return errno;
  return typeof code === "string" ? code : null;
}

/** Another connection holds the lock: trying again can succeed. */
export function isSqliteBusy(error: unknown): boolean {
  const code = databaseCode(error);
  return code !== null && (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"));
}

/** PostgreSQL ended this transaction so that another could go on: running it again can succeed. */
export function isDeadlock(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const code = databaseCode(error.cause);
  return code === "40P01" || code === "40001";
}

/** The connection to PostgreSQL could not be made or has broken. */
export function isDisconnect(error: unknown): boolean {
  const code = databaseCode(error instanceof AppError ? error.cause : error);
  if (code === null) return false;
  return code.startsWith("ERR_POSTGRES_CONNECTION") || code.startsWith("57P") || code.startsWith("08");
}

/** Maps a driver's error to the AppError of domain/store.ts; anything else comes back as it is. */
export function storeError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = databaseCode(error);
  if (code === null) return error;
  if (isConflict(code)) {
    return new AppError("conflict", "This conflicts with what is already stored.", { cause: error });
  }
  if (isFull(code)) {
    const message = "The disk that holds the database is full; nothing was stored.";
    return new AppError("storage_full", message, { cause: error, retryAfterSeconds: 60 });
  }
  if (isSqliteBusy(error) || isDisconnect(error) || isContention(code)) {
    const message = "The database is busy or not reachable; nothing was stored.";
    return new AppError("storage_busy", message, { cause: error, retryAfterSeconds });
  }
  return error;
}

/** Awaits `work`, with its error mapped. */
export async function withStoreErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw storeError(error);
  }
}

/** Unique and foreign key violations. */
function isConflict(code: string): boolean {
  return (
    code === "SQLITE_CONSTRAINT_UNIQUE" ||
    code === "SQLITE_CONSTRAINT_PRIMARYKEY" ||
    code === "SQLITE_CONSTRAINT_FOREIGNKEY" ||
    code === "23505" ||
    code === "23503"
  );
}

/** SQLITE_IOERR_SHMSIZE is how a full disk looks when the shared-memory index has to grow. */
function isFull(code: string): boolean {
  return code === "SQLITE_FULL" || code === "SQLITE_IOERR_SHMSIZE" || code === "53100";
}

/** Deadlock, serialization failure, lock not available, too many connections. */
function isContention(code: string): boolean {
  return code === "40P01" || code === "40001" || code === "55P03" || code === "53300";
}
