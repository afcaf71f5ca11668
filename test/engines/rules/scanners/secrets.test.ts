/** Credentials of every issuer that is known by its shape. */
import { describe, expect, test } from "bun:test";
import { commentText } from "../../../../src/engines/rules/rule.ts";
import { gitHubChecksum } from "../../../../src/engines/rules/scanners/secret-checksums.ts";
import { secretShapes } from "../../../../src/engines/rules/scanners/secret-shapes.ts";
import { maskSecrets, secrets } from "../../../../src/engines/rules/scanners/secrets.ts";
import { addedFile } from "./a-file.ts";

const letters = "kQ9xZ2mN7pR4tV8wY1cD5fG6hJ0bLsXaEuIoTgKdMvWqSzBnHyCrPjFlU3e";
const digits = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0";
const capitals = "Q3EGRZ5TXK7BWN2MJ4HV6PYCSDLFUA";

/** `length` characters that repeat too late to look made up. */
function some(alphabet: string, length: number): string {
  return Array.from({ length }, (_, index) => alphabet[(index * 7 + (index >> 4)) % alphabet.length]).join(
    "",
  );
}

const word = (length: number) => some(letters, length);
const hex = (length: number) => some(digits, length);
const upper = (length: number) => some(capitals, length);

/** Put together here, so that no scanner takes this file for a leak. */
const tokens: Readonly<Record<string, string>> = {
  "GitHub token": `ghp_${word(30)}${gitHubChecksum(word(30))}`,
  "GitHub fine-grained token": `github_pat_${word(22)}_${word(59)}`,
  "GitLab token": `glpat-${word(20)}`,
  "AWS access key ID": `AKIA${some("Q3EGRZ5TXK7BWN2MJ4HV6PYCSDLFUA", 16)}`,
  "Google API key": `AIza${word(35)}`,
  "Google OAuth client secret": `GOCSPX-${word(28)}`,
  "Google OAuth access token": `ya29.${word(60)}`,
  "Slack token": `xoxb-${some("3918274650", 11)}-${word(24)}`,
  "Slack app token": `xapp-1-${upper(11)}-${some("3918274650", 12)}-${hex(64)}`,
  "Slack webhook address": `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${word(24)}`,
  "Discord webhook address": `https://discord.com/api/webhooks/${some("3918274650", 18)}/${word(68)}`,
  "Stripe secret key": `sk_live_${word(24)}`,
  "Stripe webhook secret": `whsec_${word(32)}`,
  "OpenAI API key": `sk-proj-${word(40)}T3BlbkFJ${word(40)}`,
  "Anthropic API key": `sk-ant-api03-${word(95)}`,
  "Hugging Face token": `hf_${some(letters.replace(/\d/g, ""), 34)}`,
  "Discord bot token": `${btoa(some("3918274650", 18))}.${word(6)}.${word(32)}`,
  "npm token": `npm_${word(30)}${gitHubChecksum(word(30))}`,
  "PyPI token": `pypi-AgEI${word(70)}`,
  "RubyGems API key": `rubygems_${hex(48)}`,
  "Docker Hub token": `dckr_pat_${word(27)}`,
  "DigitalOcean token": `dop_v1_${hex(64)}`,
  "SendGrid API key": `SG.${word(22)}.${word(43)}`,
  "Mailgun API key": `key-${hex(32)}`,
  "Mailchimp API key": `${hex(32)}-us14`,
  "Twilio API key": `SK${hex(32)}`,
  "Telegram bot token": `807142639:AA${word(33)}`,
  "Shopify token": `shpat_${hex(32)}`,
  "Square token": `sq0atp-${word(22)}`,
  "Atlassian API token": `ATATT3${word(180)}=${some("9F86D081", 8)}`,
  "HashiCorp Vault token": `hvs.${word(90)}`,
  "Terraform Cloud token": `${word(14)}.atlasv1.${word(67)}`,
  "Databricks token": `dapi${hex(32)}`,
  "New Relic key": `NRAK-${upper(27)}`,
  "Grafana token": `glsa_${word(32)}_${hex(8)}`,
  "Linear API key": `lin_api_${word(40)}`,
  "Notion token": `ntn_${word(46)}`,
  "Figma token": `figd_${word(40)}`,
  "Postman API key": `PMAK-${hex(24)}-${hex(34)}`,
  "Sentry token": `sntrys_${word(80)}`,
  "Doppler token": `dp.pt.${word(43)}`,
  "Pulumi token": `pul-${hex(40)}`,
  "PlanetScale token": `pscale_tkn_${word(43)}`,
  "Supabase token": `sbp_${hex(40)}`,
  "Fly.io token": `fo1_${word(43)}`,
  "Age secret key": `AGE-SECRET-KEY-1${some("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`,
  "Azure client secret": `${word(3)}8Q~${word(34)}`,
  "Groq API key": `gsk_${word(52)}`,
  "Perplexity API key": `pplx-${word(48)}`,
  "xAI API key": `xai-${word(80)}`,
  "Replicate token": `r8_${word(37)}`,
  "Tailscale key": `tskey-auth-${word(12)}-${word(32)}`,
  "Airtable token": `pat${word(14)}.${hex(64)}`,
  "Contentful token": `CFPAT-${word(43)}`,
  "Brevo API key": `xkeysib-${hex(64)}-${word(16)}`,
  "Resend API key": `re_${word(8)}_${word(24)}`,
  "Typeform token": `tfp_${word(59)}`,
  "Dynatrace token": `dt0c01.${upper(24)}.${upper(64)}`,
  "Buildkite token": `bkua_${hex(40)}`,
  "SonarQube token": `squ_${hex(40)}`,
  "Heroku API key": `HRKU-${word(60)}`,
  "crates.io token": `cio${word(32)}`,
  "1Password service account token": `ops_eyJ${word(300)}`,
  "Alibaba Cloud access key ID": `LTAI5t${word(18)}`,
  "NuGet API key": `oy2${some(letters.toLowerCase(), 43)}`,
  "Dropbox token": `sl.${word(135)}`,
  "EasyPost API key": `EZAK${word(54)}`,
  "Mapbox secret token": `sk.eyJ1Ijoi${word(60)}.${word(22)}`,
  "Azure storage key": `AccountKey=${word(86)}==`,
  "password in an address": `postgres://shop:${word(12)}@db.corp.net:5432/shop`,
};

const known = secretShapes.map(({ kind }) => kind);

test("there is a token here for every shape", () => {
  expect(Object.keys(tokens)).toEqual(known);
  expect(known.length).toBeGreaterThanOrEqual(45);
});

describe.each(known)("a %s", (kind) => {
  const token = tokens[kind] ?? "";
  const [core = ""] = (token.match(/[A-Za-z0-9]+/g) ?? []).sort((a, b) => b.length - a.length);

  test("is reported without being repeated", async () => {
    const file = await addedFile("src/settings.conf", `value ${token}\n`, false);
    const found = [...secrets.find(file)];
    expect(found.map(({ rule, values }) => `${rule.id}: ${values.kind}`)).toEqual([
      `any/committed-secret: ${kind}`,
    ]);
    expect(found.map(commentText).join("\n")).not.toContain(core.slice(5));
  });

  test("is hidden in everything that leaves us", () => {
    expect(maskSecrets(`run(\`${token}\`)`)).not.toContain(core.slice(5));
  });

  test("is not reported where it stands for any", async () => {
    const placeholder = token.replace(core, `${core.slice(0, -12)}xxxxxxxxxxxx`);
    const file = await addedFile("README.md", `value ${placeholder}\n`, false);
    expect([...secrets.find(file)]).toEqual([]);
  });
});

test("a GitHub token whose checksum is wrong is nobody's", async () => {
  const token = `ghp_${word(30)}${gitHubChecksum(word(29))}`;
  expect([...secrets.find(await addedFile("src/a.js", `const t = "${token}";`, false))]).toEqual([]);
});

test("the checksum is the one that GitHub publishes tokens with", () => {
  // A revoked token that circulates as the example of the format.
  const revoked = ["zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"] as const;
  expect(gitHubChecksum(revoked[0])).toBe(revoked[1]);
});
