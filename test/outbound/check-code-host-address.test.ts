import { describe, expect, test } from "bun:test";
import { CodeHostUnavailable } from "../../src/domain/code-host.ts";
import { checkCodeHostAddress } from "../../src/outbound/check-code-host-address.ts";

const names: Readonly<Record<string, readonly string[]>> = {
  "git.corp": ["10.1.2.3", "fd12::3"],
  "metadata.corp": ["169.254.169.254"],
};

async function check(url: string) {
  return checkCodeHostAddress(url, {
    resolve: async (name) => names[name] ?? Promise.reject(new Error("ENOTFOUND")),
    ownListeners: () => [{ host: "127.0.0.1", port: 8080 }],
  }).catch((error: unknown) => error);
}

describe("a code host", () => {
  test.each([
    ["https://git.corp/acme/shop.git", ["10.1.2.3", "fd12::3"]],
    ["git://git.corp/acme/shop", ["10.1.2.3", "fd12::3"]],
    ["http://127.0.0.1:3000/acme/shop", ["127.0.0.1"]],
    ["https://93.184.216.34/acme/shop", ["93.184.216.34"]],
  ])("may be at %s", async (url, addresses) => {
    expect(await check(url)).toEqual(addresses);
  });

  test.each([
    "http://169.254.169.254/acme/shop",
    "https://metadata.corp/acme/shop.git",
    "http://0.0.0.0:3000/acme/shop",
    "http://[fe80::1]/acme/shop",
    "http://127.0.0.1:8080/acme/shop",
  ])("is never at %s", async (url) => {
    expect(await check(url)).toMatchObject({ failure: { code: "repository_unreachable" } });
  });

  test("whose name does not resolve is worth another try", async () => {
    expect(await check("https://gone.corp/acme/shop")).toBeInstanceOf(CodeHostUnavailable);
  });
});
