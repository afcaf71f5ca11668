import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { verdict } from "./guard-verdict.ts";

describe("whatever the address", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const dotted = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join("."));

  test("its IPv6 disguises are judged as it is", async () => {
    await fc.assert(
      fc.asyncProperty(dotted, async (address) => {
        const plain = await verdict({ url: "https://x.example/", resolves: [address] });
        const disguises = [`::ffff:${address}`, `64:ff9b::${address}`, `2002:${hexGroups(address)}::1`];
        for (const disguise of disguises) {
          const disguised = await verdict({ url: "https://x.example/", resolves: [disguise] });
          expect(disguised.replaceAll(disguise, address)).toBe(plain);
        }
      }),
    );
  });

  test("every way to write it in a URL is judged alike", async () => {
    await fc.assert(
      fc.asyncProperty(dotted, async (address) => {
        const number = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
        const hexadecimal = `0x${number.toString(16)}`;
        const octal = address.split(".").map((part) => `0${Number(part).toString(8)}`);
        const plain = await verdict({ url: `https://${address}/` });
        for (const host of [String(number), hexadecimal, octal.join("."), `${address}.`]) {
          expect(await verdict({ url: `https://${host}/` })).toBe(plain);
        }
      }),
    );
  });

  test("link-local stays refused under any allow list and to any owner", async () => {
    await fc.assert(
      fc.asyncProperty(octet, octet, fc.integer({ min: 1, max: 16 }), async (a, b, prefix) => {
        const address = `169.254.${a}.${b}`;
        const allowed = [`169.254.0.0/${prefix}`, address, "x.example"];
        const url = "http://x.example/";
        const judged = await verdict({ url, resolves: [address], allowed, setByOwner: true });
        expect(judged).toContain("is a link-local address.");
      }),
    );
  });

  test("text from the resolver that is no address is never connected to", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const judged = await verdict({ url: "https://x.example/", resolves: ["8.8.8.8", text] });
        fc.pre(!/^[0-9a-f.:]+(%.*)?$/i.test(text));
        expect(judged).toContain("cannot be read");
      }),
    );
  });
});

/** `10.0.0.1` → `0a00:0001` */
function hexGroups(address: string): string {
  const digits = address.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return `${digits.slice(0, 2).join("")}:${digits.slice(2).join("")}`;
}
