/** Installing a downloaded executable, as on a machine without a network. DESTDIR stages it, so that nothing here is changed. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const script = join(import.meta.dir, "../install.sh");

let folder: string;
let destination: string;
let download: string;
let installed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-install-"));
  destination = join(folder, "root");
  download = join(folder, "plumbline-linux-x64");
  installed = join(destination, "usr/local/bin/plumbline");
  writeFileSync(download, "#!/bin/sh\necho 1.2.3\n");
  chmodSync(download, 0o644);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("installing a downloaded executable", () => {
  test("refuses one without a checksum beside it", async () => {
    const { exitCode, complaint } = await install("install", "--from", download);
    expect(exitCode).toBe(1);
    expect(complaint).toContain("SHA256SUMS");
    expect(existsSync(installed)).toBe(false);
  });

  test("refuses one that is not what its checksum says, and leaves the installed one alone", async () => {
    mkdirSync(join(destination, "usr/local/bin"), { recursive: true });
    writeFileSync(installed, "the one before");
    writeFileSync(`${download}.sha256`, `${"0".repeat(64)}  plumbline-linux-x64\n`);
    const { exitCode, complaint } = await install("install", "--from", download);
    expect(exitCode).toBe(1);
    expect(complaint).toContain("nothing was installed");
    expect(readFileSync(installed, "utf8")).toBe("the one before");
  });

  test("refuses one that does not run here", async () => {
    writeFileSync(download, "#!/bin/sh\nexit 127\n");
    writeFileSync(`${download}.sha256`, sha256(download));
    const { exitCode, complaint } = await install("install", "--from", download);
    expect(exitCode).toBe(1);
    expect(complaint).toContain("does not run on this machine");
    expect(existsSync(installed)).toBe(false);
  });

  test.each([
    ["its own file, in capitals", (hash: string) => ["plumbline-linux-x64.sha256", hash.toUpperCase()]],
    [
      "SHA256SUMS among others",
      (hash: string) => ["SHA256SUMS", `${"0".repeat(64)}  other\n${hash}  plumbline-linux-x64\n`],
    ],
    ["SHA256SUMS of binary files", (hash: string) => ["SHA256SUMS", `${hash} *plumbline-linux-x64\n`]],
  ])("takes the checksum from %s", async (_where, file) => {
    const [name = "", contents = ""] = file(sha256(download));
    writeFileSync(join(folder, name), contents);
    expect(await install("install", "--from", download)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(installed, "utf8")).toBe(readFileSync(download, "utf8"));
    expect(statSync(installed).mode & 0o777).toBe(0o755);
  });

  test("brings a unit that runs it as a user of its own, shut off from most of the system", async () => {
    writeFileSync(`${download}.sha256`, sha256(download));
    await install("install", "--from", download);
    const unit = readFileSync(join(destination, "etc/systemd/system/plumbline.service"), "utf8");
    for (const line of [
      "User=plumbline",
      "ExecStart=/usr/local/bin/plumbline serve",
      "ProtectSystem=strict",
      "NoNewPrivileges=yes",
      "CapabilityBoundingSet=",
    ]) {
      expect(unit).toContain(`${line}\n`);
    }
  });

  test("is undone by uninstall, data left alone", async () => {
    writeFileSync(`${download}.sha256`, sha256(download));
    await install("install", "--from", download);
    const data = join(destination, "var/lib/plumbline");
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "plumbline.db"), "precious");
    expect(await install("uninstall")).toMatchObject({ exitCode: 0 });
    expect(existsSync(installed)).toBe(false);
    expect(existsSync(join(destination, "etc/systemd/system/plumbline.service"))).toBe(false);
    expect(readFileSync(join(data, "plumbline.db"), "utf8")).toBe("precious");
  });

  test.each([[["install", "--from"]], [["install", "--form", "x"]], [["instal"]]])(
    "knows %j for wrong usage",
    async (verb) => {
      const { exitCode, complaint } = await install(...verb);
      expect(exitCode).toBe(2);
      expect(complaint).toContain("./install.sh VERB");
    },
  );
});

async function install(...args: string[]) {
  const child = Bun.spawn(["sh", script, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, DESTDIR: destination },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaint = await new Response(child.stderr).text();
  return { exitCode: await child.exited, complaint };
}

function sha256(path: string): string {
  return new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
}
