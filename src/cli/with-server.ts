/** Work that needs a worker: with the server that runs on this data folder, or with one of our own until it is done. */
import { startApp } from "../app.ts";
import type { Config } from "../config.ts";
import { callServer, noServer } from "../control/client.ts";

export async function withServer<T>(config: Config, work: () => Promise<T>): Promise<T> {
  if ((await callServer(config.dataDir, "status", {})) !== noServer) return work();
  const siteUrl = config.siteUrl ?? `http://localhost:${config.port}`;
  const app = await startApp({ ...config, siteUrl, host: "127.0.0.1", port: 0 });
  try {
    return await work();
  } finally {
    await app.stop();
  }
}
