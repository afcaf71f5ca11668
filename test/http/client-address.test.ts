import { describe, expect, test } from "bun:test";
import { countedAs, createClientAddresses, isLoopback } from "../../src/http/client-address.ts";

describe("the client's address", () => {
  const addresses = createClientAddresses(["10.0.0.0/8", "2001:db8::/32", "::1"]);
  test.each([
    ["203.0.113.9", null, "203.0.113.9"],
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["10.0.0.1", "nonsense, 10.0.0.2", "10.0.0.2"],
    ["10.0.0.1", "nonsense", "10.0.0.1"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", null, "10.0.0.1"],
    ["2001:db8::5", "[2001:470::1]:4711", "2001:470::1"],
    ["::1", "198.51.100.1:8080", "198.51.100.1"],
    [null, "198.51.100.1", "unknown"],
  ])("of %p forwarded for %p is %s", (peer, forwardedFor, client) => {
    expect(addresses.of(peer, forwardedFor)).toBe(client);
  });

  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:470:1:2:3:4:5:6", "2001:470:1:2::/64"],
    ["2001:470:1:2::", "2001:470:1:2::/64"],
    ["2001:470::1", "2001:470:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
  ])("%s is counted as %s", (address, counted) => {
    expect(countedAs(address)).toBe(counted);
  });

  test("is this machine's only where it is a loopback address", () => {
    expect(["127.0.0.1", "127.8.8.8", "::1"].every(isLoopback)).toBe(true);
    expect(["128.0.0.1", "10.0.0.1", "::2", "unknown", "127.0.0.1.evil"].some(isLoopback)).toBe(false);
  });
});
