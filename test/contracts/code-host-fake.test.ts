/** The code host of the feature tests keeps the promises of the real ones. */
import { createFakeCodeHost } from "../support/fake-code-host.ts";
import { codeHostContract } from "./code-host.contract.ts";

codeHostContract("that the tests fake", async () => {
  const host = createFakeCodeHost();
  return {
    host,
    opens: (pullRequest) => host.opens(pullRequest),
    removes: (ref) => host.closes(ref),
    stop: async () => {},
  };
});
