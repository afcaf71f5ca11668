/** What a code host of each kind needs to be told. A kind is offered once its client passes the contract suite. */
import type { CodeHostKind } from "../domain/repository.ts";

export interface HostKind {
  /** Null when `url` is right for this kind, else what is wrong with it. */
  problemWithUrl(url: string): string | null;
  takesToken: boolean;
  takesWebhookSecret: boolean;
}

export const hostKinds: Partial<Record<CodeHostKind, HostKind>> = {
  git: { problemWithUrl: problemWithGitTemplate, takesToken: false, takesWebhookSecret: false },
};

const gitProtocols = ["file:", "https:", "http:", "ssh:", "git:"];
/** `git@host:path`, which Git itself reads as ssh. */
const scpLike = /^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:[^/].*$/;

function problemWithGitTemplate(template: string): string | null {
  if (!template.includes("{repository}")) {
    return "the address must contain {repository}, as in https://git.example/{repository}.git";
  }
  if (scpLike.test(template)) return null;
  const url = URL.parse(template);
  if (url === null || !gitProtocols.includes(url.protocol)) {
    return "the address must start with file://, https://, http://, ssh:// or git://, or be like git@host:{repository}.git";
  }
  return url.password === "" ? null : "the address must hold no password";
}
