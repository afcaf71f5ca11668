/** What an admin configures is checked before it is stored, by what the client of that kind can use. */
import { AppError } from "../domain/errors.ts";
import type { CodeHostKind, CodeHostSettings } from "../domain/repository.ts";
import { checkUrlTemplate } from "./git/address.ts";
import { parseBaseReference, parseHeadPattern } from "./git/references.ts";

export interface NewCodeHost {
  kind: CodeHostKind;
  url: string;
  settings: CodeHostSettings;
  hasToken: boolean;
  hasWebhookSecret: boolean;
}

/** Throws AppError `validation_failed`, also for a kind that has no client yet. */
export function checkCodeHost(host: NewCodeHost): void {
  switch (host.kind) {
    case "git":
      checkUrlTemplate(host.url);
      if (host.settings.headRef !== undefined) parseHeadPattern(host.settings.headRef);
      if (host.settings.baseRef !== undefined) parseBaseReference(host.settings.baseRef);
      if (host.hasToken && !/^https?:/i.test(host.url))
        throw refused("token", "is for http and https addresses only");
      if (host.hasWebhookSecret)
        throw refused("webhook_secret", "is of no use: a plain Git server sends no webhooks");
      return;
    case "github":
    case "gitlab":
    case "gitea":
    case "bitbucket":
      throw refused("kind", `${host.kind} is not supported yet`);
  }
}

function refused(field: string, problem: string): AppError {
  const message = `The code host's ${field.replace("_", " ")} ${problem}.`;
  return new AppError("validation_failed", message, {
    fields: [{ path: `/${field}`, code: "invalid", message }],
  });
}
