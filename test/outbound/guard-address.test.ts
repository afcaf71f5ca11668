import { describe, expect, test } from "bun:test";
import { checkTarget, NameNotResolved } from "../../src/outbound/guard-address.ts";
import { verdict } from "./guard-verdict.ts";

/** As it appears in the host of a URL. */
const inUrl = (address: string) => `https://${address.includes(":") ? `[${address}]` : address}/hook`;

describe("where a webhook may connect", () => {
  const publicAddresses = [
    "8.8.8.8",
    "1.1.1.1",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:831::200e",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
  ];
  test.each(publicAddresses)("%s is public", async (address) => {
    expect(await verdict({ url: "https://ci.example/hook", resolves: [address] })).toBe(
      `connects to ${address}`,
    );
  });

  const privateAddresses = [
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.7",
    "240.0.0.1",
    "255.255.255.254",
    "::1",
    "fc00::1",
    "fd12:3456:789a::1",
    "fec0::1",
    "100::1",
    "2001:db8::1",
    "2001:2::1",
    "3fff::1",
    "5f00::1",
    "4000::1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "::ffff:0:10.0.0.1",
    "::10.0.0.1",
    "::7f00:1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::808:808",
    "2002:a00:1::",
    "2002:7f00:1::1",
    "2002:c0a8:101::1",
    "2001:0:808:808:0:ffff:f7f7:f7f7",
    "2606:4700::5efe:10.0.0.1",
    "2606:4700::200:5efe:c0a8:101",
  ];
  test.each(privateAddresses)("%s is not public, but the owner may set it", async (address) => {
    const asName = { url: "https://ci.example/hook", resolves: [address] };
    expect(await verdict(asName)).toContain("is not public");
    expect(await verdict({ url: inUrl(address) })).toContain("is not public");
    expect(await verdict({ ...asName, setByOwner: true })).toBe(`connects to ${address}`);
  });

  const forbiddenAddresses = [
    "0.0.0.0",
    "0.1.2.3",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "224.0.0.1",
    "239.255.255.255",
    "255.255.255.255",
    "::",
    "fe80::1",
    "febf::1",
    "ff02::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:0:169.254.169.254",
    "::169.254.169.254",
    "::ffff:0.0.0.0",
    "64:ff9b::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "2001:0:a9fe:a9fe::1",
    "2001:0:808:808:0:ffff:5601:5601",
    "2606:4700::5efe:169.254.169.254",
  ];
  test.each(forbiddenAddresses)("%s is refused even to the owner", async (address) => {
    const asName = { url: "http://ci.example/hook", resolves: [address], setByOwner: true };
    const everything = ["128.0.0.0/1", "ci.example"];
    expect(await verdict({ ...asName, allowed: everything })).toMatch(
      /is (an unspecified|a link-local|a multicast|the broadcast) address|metadata/,
    );
    expect(await verdict({ url: inUrl(address), setByOwner: true })).toStartWith(
      `${new URL(inUrl(address)).hostname.replace(/[[\]]/g, "")} is `,
    );
  });

  const spellingsOfMetadata = [
    "169.254.169.254.",
    "2852039166",
    "0xa9fea9fe",
    "0xa9.0xfe.0xa9.0xfe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "169.16689662",
    "①⑥⑨.②⑤④.①⑥⑨.②⑤④",
    "169%2e254%2e169%2e254",
    "169。254。169。254",
    "[::ffff:169.254.169.254]",
    "[0:0:0:0:0:ffff:a9fe:a9fe]",
    "[64:FF9B::A9FE:A9FE]",
  ];
  test.each(spellingsOfMetadata)("%s is the metadata service, however it is written", async (host) => {
    expect(await verdict({ url: `http://${host}/latest/meta-data`, setByOwner: true })).toContain(
      "is a link-local address.",
    );
  });

  const spellingsOfLoopback = [
    "127.0.0.1.",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "[::ffff:7f00:1]",
  ];
  test.each(spellingsOfLoopback)("%s is loopback, however it is written", async (host) => {
    expect(await verdict({ url: `https://${host}/` })).toContain("is not public");
  });

  test.each([
    "ftp://ci.example/",
    "file:///etc/passwd",
    "gopher://ci.example/",
    "https://user:secret@ci.example/",
    "https://user@ci.example/",
    "https://[fe80::1%25eth0]/",
    "https://",
    "ci.example",
    "//ci.example/hook",
  ])("%s is no address for a webhook", async (url) => {
    expect(await verdict({ url, resolves: ["8.8.8.8"], setByOwner: true })).toStartWith("The address ");
  });

  test("a public address without https needs the owner", async () => {
    const plain = { url: "http://ci.example/hook", resolves: ["8.8.8.8"] };
    expect(await verdict(plain)).toBe(
      "The address is not https; an owner can allow it: plumbline endpoint allow ci.example:80.",
    );
    expect(await verdict({ ...plain, setByOwner: true })).toBe("connects to 8.8.8.8");
    expect(await verdict({ ...plain, allowed: ["ci.example:80"] })).toBe("connects to 8.8.8.8");
    expect(await verdict({ ...plain, allowed: ["8.8.8.0/24"] })).toBe("connects to 8.8.8.8");
  });

  test("one bad address among a name's many is enough to refuse it", async () => {
    const mixed = ["8.8.8.8", "2606:4700::1111", "10.0.0.1"];
    expect(await verdict({ url: "https://ci.example/", resolves: mixed })).toBe(
      "ci.example (10.0.0.1) is not public; an owner can allow it: plumbline endpoint allow ci.example:443.",
    );
    const worse = ["8.8.8.8", "169.254.169.254"];
    expect(await verdict({ url: "https://ci.example/", resolves: worse, setByOwner: true })).toContain(
      "ci.example (169.254.169.254) is a link-local address.",
    );
  });

  test("a name is asked for once, and the addresses that were checked are the ones to connect to", async () => {
    const answers = [["8.8.8.8"], ["127.0.0.1"]];
    let asked = 0;
    const target = await checkTarget(
      { url: "https://rebinding.example/", setByOwner: false, allowedTargets: async () => [] },
      {
        resolve: async () => {
          asked += 1;
          return answers.shift() ?? [];
        },
        ownListeners: () => [],
      },
    );
    expect({ asked, addresses: target.addresses }).toEqual({ asked: 1, addresses: ["8.8.8.8"] });
  });

  test("a name that does not resolve, or to nothing that can be read, is refused", async () => {
    expect(await verdict({ url: "https://ci.example/", resolves: [], setByOwner: true })).toBe(
      "The name ci.example does not resolve.",
    );
    const failing = checkTarget(
      { url: "https://ci.example/", setByOwner: true, allowedTargets: async () => [] },
      { resolve: () => Promise.reject(new Error("SERVFAIL")), ownListeners: () => [] },
    );
    await expect(failing).rejects.toBeInstanceOf(NameNotResolved);
    expect(await verdict({ url: "https://ci.example/", resolves: ["8.8.8.8", "junk"] })).toContain(
      "cannot be read",
    );
  });

  test("a zone does not hide a link-local address", async () => {
    expect(
      await verdict({ url: "https://ci.example/", resolves: ["fe80::1%eth0"], setByOwner: true }),
    ).toContain("link-local");
  });

  describe("when an owner allowed more", () => {
    const allowed = ["10.0.0.0/8", "ci.corp", "build.corp:8443", "[fd00::5]:9000"];
    test.each<[string, readonly string[], string]>([
      ["https://anything.corp/", ["10.2.3.4"], "connects to 10.2.3.4"],
      ["http://10.2.3.4:81/", [], "connects to 10.2.3.4"],
      ["http://anything.corp/", ["10.2.3.4", "10.9.9.9"], "connects to 10.2.3.4, 10.9.9.9"],
      ["https://anything.corp/", ["10.2.3.4", "8.8.8.8"], "connects to 10.2.3.4, 8.8.8.8"],
      ["http://anything.corp/", ["10.2.3.4", "8.8.8.8"], "not https"],
      ["https://anything.corp/", ["10.2.3.4", "192.168.0.1"], "(192.168.0.1) is not public"],
      ["https://anything.corp/", ["::ffff:10.2.3.4"], "is not public"],
      ["http://ci.corp:1234/", ["192.168.0.1"], "connects to 192.168.0.1"],
      ["http://CI.corp./", ["192.168.0.1"], "connects to 192.168.0.1"],
      ["http://not-ci.corp/", ["192.168.0.1"], "is not public"],
      ["http://ci.corp.evil.example/", ["192.168.0.1"], "is not public"],
      ["https://build.corp:8443/", ["192.168.0.1"], "connects to 192.168.0.1"],
      ["https://build.corp/", ["192.168.0.1"], "is not public"],
      ["http://[fd00::5]:9000/", [], "connects to fd00::5"],
      ["http://[fd00::5]/", [], "is not public"],
      ["http://[fd00::6]:9000/", [], "is not public"],
      ["http://ci.corp/", ["169.254.169.254"], "is a link-local address"],
      ["http://ci.corp/", ["0.0.0.0"], "is an unspecified address"],
    ])("%s at %j: %s", async (url, resolves, expected) => {
      expect(await verdict({ url, resolves, allowed })).toContain(expected);
    });
  });
});
