import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createKeyFileContents } from "../../src/crypto.ts";
import { createIds, systemClock } from "../../src/system.ts";
import { install } from "./plumbline.ts";

setDefaultTimeout(60_000);

describe("plumbline serve", () => {
  test("starts on an empty folder, prints its address alone, and says how to set it up", async () => {
    await using plumbline = await install();
    const server = await plumbline.serve();
    expect(server.stdout()).toMatch(/^Plumbline listens on http:\/\/127\.0\.0\.1:\d+\n$/);
    await saysSoon(server, "plumbline setup --org");
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  });

  test("has no hint once it is set up", async () => {
    await using plumbline = await install();
    await plumbline.setsUp();
    const server = await plumbline.serve();
    server.signal("SIGTERM");
    await server.exited;
    expect(server.stderr()).not.toContain("setup");
  });

  test("keeps the folder, the key and the control socket from others", async () => {
    await using plumbline = await install();
    await plumbline.serve();
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(plumbline.dataDir)).toBe("700");
    expect(mode(plumbline.keyFile)).toBe("600");
    expect(mode(join(plumbline.dataDir, "control.sock"))).toBe("600");
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "ends well on %s, and takes its socket with it",
    async (signal) => {
      await using plumbline = await install();
      const server = await plumbline.serve();
      server.signal(signal);
      expect(await server.exited).toBe(0);
      expect(existsSync(join(plumbline.dataDir, "control.sock"))).toBe(false);
    },
  );

  test("ends at once on a second signal, though a review hangs", async () => {
    const hangs = createServer(() => {});
    await new Promise<void>((resolve) => hangs.listen(0, "127.0.0.1", resolve));
    const address = hangs.address();
    const port = typeof address === "object" ? address?.port : 0;
    const connected = new Promise((resolve) => hangs.once("connection", resolve));
    try {
      await using plumbline = await install();
      await plumbline.setsUp();
      const server = await plumbline.serve();
      const template = `http://127.0.0.1:${port}/{repository}.git`;
      await plumbline.answer("hosts", "add", "git", "--name", "hanging", "--url", template);
      await plumbline.answer("repos", "enable", "acme/shop");
      await plumbline.answer("review", "acme/shop#7");
      await connected;
      server.signal("SIGTERM");
      const early = await Promise.race([server.exited, Bun.sleep(500).then(() => "drains")]);
      expect(early).toBe("drains");
      server.signal("SIGTERM");
      expect(await server.exited).toBe(143);
    } finally {
      hangs.close();
    }
  });

  test("takes the place of one that was killed, whose socket still lies there", async () => {
    await using plumbline = await install();
    await plumbline.setsUp();
    const killed = await plumbline.serve();
    killed.signal("SIGKILL");
    await killed.exited;
    expect(existsSync(join(plumbline.dataDir, "control.sock"))).toBe(true);
    // Without a server, in spite of the socket.
    expect(await plumbline.answer("keys", "list", "--json")).toBe("[]");
    await plumbline.serve();
    expect(await plumbline.answer("keys", "create", "--name", "ci")).toMatch(/^plk_/);
  });
});

describe("plumbline serve does not start, and says why,", () => {
  test("while another one has the folder, whose process it names", async () => {
    await using plumbline = await install();
    const { pid } = await plumbline.serve();
    const second = await plumbline.run("serve", "--port", "0");
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toBe(
      `plumbline: The data folder ${plumbline.dataDir} is in use by process ${pid}.\n`,
    );
  });

  test("when the port is taken", async () => {
    await using plumbline = await install();
    await using other = await install();
    const { port } = new URL((await other.serve()).address);
    const second = await plumbline.run("serve", "--port", port);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toContain(`127.0.0.1:${port}`);
    expect(second.stderr).not.toContain("    at ");
  });

  test("when the key is another, or gone", async () => {
    await using plumbline = await install();
    await plumbline.setsUp();
    plumbline.file("secret.key", createKeyFileContents(createIds(systemClock)));
    const wrong = await plumbline.run("serve", "--port", "0");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain(`${plumbline.keyFile} holds key`);
    await Bun.file(plumbline.keyFile).delete();
    expect((await plumbline.run("serve", "--port", "0")).stderr).toContain(`${plumbline.keyFile} is missing`);
  });

  test("when the certificates cannot be read, or are none, before it makes anything", async () => {
    await using plumbline = await install();
    const outcome = await plumbline.run("serve", "--port", "0", "--ca-file", "/nonexistent.pem");
    expect(outcome).toMatchObject({ code: 1, stdout: "" });
    expect(outcome.stderr).toContain("PLUMBLINE_CA_FILE: /nonexistent.pem cannot be read");
    const noCertificate = plumbline.file("ca.pem", "not a certificate");
    expect((await plumbline.run("serve", "--port", "0", "--ca-file", noCertificate)).stderr).toContain(
      `PLUMBLINE_CA_FILE: ${noCertificate} holds no certificate`,
    );
    expect(existsSync(plumbline.keyFile)).toBe(false);
    expect(existsSync(join(plumbline.dataDir, "plumbline.db"))).toBe(false);
  });

  test("when the folder's path is too long for a socket", async () => {
    await using plumbline = await install();
    const dataDir = join(plumbline.folder, "d".repeat(100));
    const outcome = await plumbline.run("serve", "--port", "0", "--data-dir", dataDir);
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toContain("path is too long");
  });
});

async function saysSoon(server: { stderr(): string }, text: string): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!server.stderr().includes(text)) {
    if (performance.now() > deadline) throw new Error(`it never said ${text}:\n${server.stderr()}`);
    await Bun.sleep(10);
  }
}
