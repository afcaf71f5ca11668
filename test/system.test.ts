import { describe, expect, test } from "bun:test";
import { createIds, createLogger, type SystemLogger, systemClock } from "../src/system.ts";

describe("ids", () => {
  test("are a prefix and a ULID", () => {
    expect(createIds(systemClock).next("rev")).toMatch(/^rev_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  });

  test("say when they were made, as the ULID specification has it", () => {
    const clock = { now: () => new Date(1_469_918_176_385), monotonicMs: () => 0 };
    expect(createIds(clock).next("rev")).toStartWith("rev_01ARYZ6S41");
  });

  test("sort by creation within one millisecond, and when the clock runs backwards", () => {
    let now = 1_000_000;
    const ids = createIds({ now: () => new Date(now), monotonicMs: () => 0 });
    const made: string[] = [];
    for (let i = 0; i < 1_000; i += 1) {
      made.push(ids.next("rev"));
      if (i % 100 === 0) now -= 5_000;
    }
    now += 1_000_000;
    made.push(ids.next("rev"));
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
  });
});

describe("the log", () => {
  test("is one JSON object a line", () => {
    const [line] = logged({ format: "json" }, (logger) => logger.info("started\nwell", { port: 8080 }));
    expect(JSON.parse(line ?? "")).toMatchObject({ level: "info", message: "started\nwell", port: 8080 });
    expect(line).toMatch(/^\{.*"time":"\d{4}-\d\d-\d\dT[\d:.]+Z".*\}\n$/);
  });

  test("is a line for people on request", () => {
    const [line] = logged({ format: "pretty" }, (logger) =>
      logger.warn("retrying", { attempt: 2, to: { url: "x" } }),
    );
    expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}warn {3}retrying {2}attempt=2 {2}to=\{"url":"x"\}\n$/);
  });

  test("leaves out what is less serious than its level", () => {
    const lines = logged({ level: "warn" }, (logger) => {
      logger.debug("a");
      logger.info("b");
      logger.warn("c");
      logger.error("d");
    });
    expect(lines.map((line) => JSON.parse(line).message)).toEqual(["c", "d"]);
  });

  test("tells errors with their causes", () => {
    const error = new Error("outer", { cause: new TypeError("inner") });
    const [line] = logged({}, (logger) => logger.error("failed", { error }));
    expect(JSON.parse(line ?? "").error).toMatchObject({
      type: "Error",
      message: "outer",
      cause: { type: "TypeError", message: "inner" },
    });
  });

  test("takes what JSON cannot: big numbers, depth, circles", () => {
    const circle: Record<string, unknown> = { big: 2n ** 70n };
    circle.self = circle;
    const [line] = logged({}, (logger) => logger.info("odd", { circle }));
    expect(line).toContain("1180591620717411303424");
  });

  test.each([
    "password",
    "adminPassword",
    "sealed_secret",
    "Authorization",
    "cookie",
    "api_key",
    "apiKey",
    "token",
    "leaseToken",
    "private_key",
  ])("never shows a field named %s", (name) => {
    const [line] = logged({}, (logger) => logger.info("x", { deep: [{ [name]: "hunter2hunter2" }] }));
    expect(line).not.toContain("hunter2hunter2");
    expect(line).toContain("[concealed]");
  });

  test("shows counts of tokens: they are no secrets", () => {
    const [line] = logged({}, (logger) => logger.info("x", { tokensUsed: 17, tokens_used: 18 }));
    expect(JSON.parse(line ?? "")).toMatchObject({ tokensUsed: 17, tokens_used: 18 });
  });

  test("never shows a value that it was told to conceal, wherever it stands", () => {
    const secret = 'hunter2"\\\nhunter2';
    for (const format of ["json", "pretty"] as const) {
      const lines = logged({ format }, (logger) => {
        logger.conceal(secret);
        logger.error(`could not use ${secret}`, { url: `https://x/${secret}`, error: new Error(secret) });
      });
      expect(lines.join("")).not.toContain("hunter2");
    }
  });

  test("does not conceal what is too short to be told from other text", () => {
    const [line] = logged({}, (logger) => {
      logger.conceal("");
      logger.conceal("abc");
      logger.info("abc");
    });
    expect(JSON.parse(line ?? "").message).toBe("abc");
  });
});

function logged(
  options: Partial<Parameters<typeof createLogger>[0]>,
  work: (logger: SystemLogger) => void,
): string[] {
  const lines: string[] = [];
  work(createLogger({ level: "info", format: "json", ...options, write: (line) => lines.push(line) }));
  return lines;
}
