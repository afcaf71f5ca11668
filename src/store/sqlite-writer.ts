/**
 * The Worker that owns the SQLite connection that writes: its waits and its fsyncs keep no request waiting.
 * An entry point of its own in scripts/build.ts (`src/store/sqlite-writer.ts`), started by sqlite/write-channel.ts.
 */
import { openWriteDatabase } from "./sqlite/databases.ts";
import type { WriterReply, WriterRequest } from "./sqlite/write-channel.ts";
import { WriteConnection } from "./sqlite/write-connection.ts";
import { databaseCode } from "./store-error.ts";

let connection: WriteConnection | null = null;

self.onmessage = (event: MessageEvent<WriterRequest[]>) => {
  postMessage(event.data.map(answer));
};

function answer(request: WriterRequest): WriterReply {
  try {
    return { result: perform(request) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: { code: databaseCode(error) ?? "", message } };
  }
}

function perform(request: WriterRequest) {
  switch (request.op) {
    case "open":
      connection = new WriteConnection(openWriteDatabase(request.file));
      return { rows: [], changes: 0 };
    case "close":
      connection?.close();
      return { rows: [], changes: 0 };
    default:
      if (connection === null) throw new Error("the database is not open");
      return connection.execute(request);
  }
}
