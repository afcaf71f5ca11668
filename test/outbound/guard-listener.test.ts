import { describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { verdict } from "./guard-verdict.ts";

describe("our own listener", () => {
  const ours = "is the address that Plumbline itself listens on.";
  const onLoopback = [{ host: "127.0.0.1", port: 8080 }];
  const everywhere = [{ host: "0.0.0.0", port: 8080 }];
  const machine = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outward = machine.find((entry) => entry.family === "IPv4" && !entry.internal)?.address ?? "127.0.0.1";

  test("is refused in every form, also to the owner", async () => {
    for (const host of [
      "127.0.0.1",
      "2130706433",
      "[::ffff:127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[::127.0.0.1]",
    ]) {
      const url = `http://${host}:8080/v1/reviews`;
      expect(await verdict({ url, setByOwner: true, ownListeners: onLoopback })).toContain(ours);
    }
    const byName = { url: "http://localhost:8080/", resolves: ["::1", "127.0.0.1"], setByOwner: true };
    expect(await verdict({ ...byName, ownListeners: onLoopback })).toContain(ours);
  });

  test("is its address and port together: another port or another loopback address is none of it", async () => {
    const owner = { setByOwner: true, ownListeners: onLoopback };
    expect(await verdict({ url: "http://127.0.0.1:8081/", ...owner })).toStartWith("connects");
    expect(await verdict({ url: "http://127.0.0.2:8080/", ...owner })).toStartWith("connects");
    expect(await verdict({ url: "http://10.0.0.1:8080/", ...owner })).toStartWith("connects");
  });

  test("is every address of the machine when it listens on all of them", async () => {
    const owner = { setByOwner: true, ownListeners: everywhere };
    for (const host of ["127.0.0.1", "127.9.9.9", outward]) {
      expect(await verdict({ url: `http://${host}:8080/`, ...owner })).toContain(ours);
      expect(await verdict({ url: `http://${host}:8081/`, ...owner })).toStartWith("connects");
    }
    expect(await verdict({ url: "http://10.99.99.99:8080/", ...owner })).toStartWith("connects");
    expect(await verdict({ url: "https://9.9.9.9:8080/", ...owner })).toStartWith("connects");
  });

  test("is found on the scheme's own port", async () => {
    const owner = { setByOwner: true, ownListeners: [{ host: "127.0.0.1", port: 443 }] };
    expect(await verdict({ url: "https://127.0.0.1/", ...owner })).toContain(ours);
    expect(await verdict({ url: "http://127.0.0.1/", ...owner })).toStartWith("connects");
  });
});
