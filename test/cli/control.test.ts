import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callServer, noServer } from "../../src/control/client.ts";
import { startControlServer } from "../../src/control/server.ts";
import { AppError } from "../../src/domain/errors.ts";
import { silentLogger, temporaryFolder } from "../support/databases.ts";

let dataDir: string;
let stop: () => Promise<void> = async () => {};
const logged: unknown[] = [];

beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(async () => {
  await stop();
  rmSync(dataDir, { recursive: true });
});

function serve(handle: (name: string, input: unknown) => Promise<unknown>): void {
  const logger = {
    ...silentLogger,
    error: (message: string, fields: unknown) => void logged.push([message, fields]),
  };
  ({ stop } = startControlServer({ dataDir, handle, logger }));
}

describe("the control socket", () => {
  test("carries an operation's input there, and its result back", async () => {
    serve(async (name, input) => ({ name, input }));
    const input = { text: "ünï\n\u0000", list: [1, null, { a: true }], none: null };
    expect(await callServer(dataDir, "keys.create", input)).toEqual({ name: "keys.create", input });
  });

  test("carries an error as it is, fields and all", async () => {
    const refused = new AppError("validation_failed", "No.", {
      fields: [{ path: "/a", code: "b", message: "c" }],
    });
    serve(() => Promise.reject(refused));
    const told = await callServer(dataDir, "x", {}).catch((error: unknown) => error);
    expect(told).toBeInstanceOf(AppError);
    expect(told).toMatchObject({ kind: "validation_failed", message: "No.", fields: refused.fields });
  });

  test("keeps a fault of ours to the log", async () => {
    serve(() => Promise.reject(new TypeError("hunter2hunter2")));
    const told = await callServer(dataDir, "x", {}).catch((error: unknown) => error);
    expect(told).toMatchObject({ kind: "internal" });
    expect(String(told)).not.toContain("hunter2hunter2");
    expect(logged.at(-1)).toMatchObject(["a control request failed", { operation: "x" }]);
  });

  test("is its owner's alone from the first moment, whatever the umask", () => {
    const before = process.umask(0);
    try {
      serve(async () => null);
      expect(statSync(join(dataDir, "control.sock")).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  test("takes the place of whatever lies there", async () => {
    writeFileSync(join(dataDir, "control.sock"), "");
    serve(async () => "here");
    expect(await callServer(dataDir, "x", {})).toBe("here");
  });

  test("is missed where no server is, has been, or could be", async () => {
    expect(await callServer(dataDir, "x", {})).toBe(noServer);
    serve(async () => null);
    await stop();
    expect(await callServer(dataDir, "x", {})).toBe(noServer);
    expect(await callServer("/nonexistent", "x", {})).toBe(noServer);
    expect(await callServer(`/${"d".repeat(200)}`, "x", {})).toBe(noServer);
  });

  test("says so when it is somebody else's", async () => {
    serve(async () => null);
    const asNobody = `
      const { callServer } = await import(${JSON.stringify(join(import.meta.dir, "../../src/control/client.ts"))});
      process.setuid?.(process.getuid?.() === 0 ? 65534 : process.getuid());
      console.log(await callServer(${JSON.stringify(dataDir)}, "x", {}).catch((error) => error.kind + ": " + error.message));
    `;
    chmodSync(dataDir, 0o755);
    // Whoever is not root has to be shut out by the mode.
    if (process.getuid?.() !== 0) chmodSync(join(dataDir, "control.sock"), 0);
    const child = Bun.spawn([process.execPath, "-e", asNobody], {
      cwd: "/",
      stdout: "pipe",
      stderr: "inherit",
    });
    expect((await new Response(child.stdout).text()).trim()).toBe(
      `forbidden: The server on ${dataDir} is another user's; run this as that user or as root.`,
    );
  });

  test("does not go through a proxy", async () => {
    serve(async () => "here");
    const script = `
      const { callServer } = await import(${JSON.stringify(join(import.meta.dir, "../../src/control/client.ts"))});
      console.log(await callServer(${JSON.stringify(dataDir)}, "x", {}));
    `;
    const env = { ...process.env, HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" };
    const child = Bun.spawn([process.execPath, "-e", script], { env, stdout: "pipe", stderr: "inherit" });
    expect((await new Response(child.stdout).text()).trim()).toBe("here");
  });
});
