import { codeHostContract } from "../../contracts/code-host.contract.ts";
import { startGitHttpServer } from "../../support/git-http-server.ts";
import { startGitSubject } from "./git-subject.ts";

codeHostContract("git, by file://", () =>
  startGitSubject((root) => ({ urlTemplate: `file://${root}/{repository}.git`, stop: async () => {} })),
);

codeHostContract("git, by http://", () => startGitSubject((root) => startGitHttpServer({ root })));
