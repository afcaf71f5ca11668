/**
 * What issued credentials look like. The shapes are facts that the issuers publish (their documentation, or GitHub's
 * list of supported secret-scanning patterns); the group `secret`, or else the whole match, is the credential.
 */
import { hasGitHubChecksum, namesDiscordUser } from "./secret-checksums.ts";

export interface SecretShape {
  /** Completes "A … was committed". */
  kind: string;
  pattern: RegExp;
  /** Where the issuer builds in a checksum: a token that passes is real, wherever it stands. */
  checksum?: (token: string) => boolean;
  /** What the pattern cannot tell. */
  plausible?: (secret: string) => boolean;
}

const start = "(?<![A-Za-z0-9_+/-])";
const end = "(?![A-Za-z0-9_+/=-])";

function shape(kind: string, body: string, checksum?: (token: string) => boolean): SecretShape {
  const pattern = new RegExp(`${start}(?<secret>${body})${end}`, "g");
  return checksum === undefined ? { kind, pattern } : { kind, pattern, checksum };
}

export const secretShapes: readonly SecretShape[] = [
  shape("GitHub token", "gh[pousr]_[A-Za-z0-9]{36}", hasGitHubChecksum),
  shape("GitHub fine-grained token", "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
  shape("GitLab token", "gl(?:pat|ptt|oas|cbt|rt|dt|soat|ft|imt|agent)-[A-Za-z0-9_-]{20,64}"),
  shape("AWS access key ID", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
  shape("Google API key", "AIza[A-Za-z0-9_-]{35}"),
  shape("Google OAuth client secret", "GOCSPX-[A-Za-z0-9_-]{28}"),
  shape("Google OAuth access token", "ya29\\.[A-Za-z0-9_-]{40,}"),
  shape("Slack token", "xox[abposre]-(?:\\d+-){1,3}[A-Za-z0-9-]{12,}"),
  shape("Slack app token", "xapp-\\d-[A-Z0-9]+-\\d+-[a-f0-9]{32,}"),
  {
    kind: "Slack webhook address",
    pattern:
      /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/T[A-Z0-9]{6,}\/[AB][A-Z0-9]{6,}\/(?<secret>[A-Za-z0-9]{18,})/g,
  },
  {
    kind: "Discord webhook address",
    pattern:
      /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/(?<secret>[A-Za-z0-9_-]{60,72})/g,
  },
  shape("Stripe secret key", "[sr]k_live_[A-Za-z0-9]{20,247}"),
  shape("Stripe webhook secret", "whsec_[A-Za-z0-9+/]{32,}={0,2}"),
  shape(
    "OpenAI API key",
    "sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})",
  ),
  shape("Anthropic API key", "sk-ant-(?:api|admin)\\d{2}-[A-Za-z0-9_-]{80,}"),
  shape("Hugging Face token", "hf_[A-Za-z]{34}"),
  {
    ...shape("Discord bot token", "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}"),
    plausible: namesDiscordUser,
  },
  shape("npm token", "npm_[A-Za-z0-9]{36}", hasGitHubChecksum),
  shape("PyPI token", "pypi-AgEI[A-Za-z0-9_-]{50,}"),
  shape("RubyGems API key", "rubygems_[a-f0-9]{48}"),
  shape("Docker Hub token", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}"),
  shape("DigitalOcean token", "do[opr]_v1_[a-f0-9]{64}"),
  shape("SendGrid API key", "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}"),
  shape("Mailgun API key", "key-[a-f0-9]{32}"),
  shape("Mailchimp API key", "[a-f0-9]{32}-us\\d{1,2}"),
  shape("Twilio API key", "SK[a-f0-9]{32}"),
  shape("Telegram bot token", "\\d{8,10}:AA[A-Za-z0-9_-]{33}"),
  shape("Shopify token", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
  shape("Square token", "(?:EAAA[A-Za-z0-9_-]{60}|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43})"),
  shape("Atlassian API token", "ATATT3[A-Za-z0-9_-]{60,}=[A-F0-9]{8}"),
  shape("HashiCorp Vault token", "hv[sbr]\\.[A-Za-z0-9_-]{24,}"),
  shape("Terraform Cloud token", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,70}"),
  shape("Databricks token", "dapi[a-f0-9]{32}(?:-\\d)?"),
  shape("New Relic key", "NRAK-[A-Z0-9]{27}"),
  shape("Grafana token", "gl(?:sa_[A-Za-z0-9]{32}_[a-f0-9]{8}|c_[A-Za-z0-9+/]{32,}={0,2})"),
  shape("Linear API key", "lin_api_[A-Za-z0-9]{40}"),
  shape("Notion token", "(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{46})"),
  shape("Figma token", "figd_[A-Za-z0-9_-]{40,}"),
  shape("Postman API key", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
  shape("Sentry token", "sntry[su]_[A-Za-z0-9+/=_-]{60,}"),
  shape("Doppler token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]+\\.)?[A-Za-z0-9]{40,44}"),
  shape("Pulumi token", "pul-[a-f0-9]{40}"),
  shape("PlanetScale token", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"),
  shape("Supabase token", "sbp_[a-f0-9]{40}"),
  shape("Fly.io token", "fo1_[A-Za-z0-9_-]{43}"),
  shape("Age secret key", "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
  shape("Azure client secret", "[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}"),
  shape("Groq API key", "gsk_[A-Za-z0-9]{52}"),
  shape("Perplexity API key", "pplx-[A-Za-z0-9]{48}"),
  shape("xAI API key", "xai-[A-Za-z0-9]{80}"),
  shape("Replicate token", "r8_[A-Za-z0-9]{37}"),
  shape("Tailscale key", "tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,}-[A-Za-z0-9]{20,}"),
  shape("Airtable token", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}"),
  shape("Contentful token", "CFPAT-[A-Za-z0-9_-]{43}"),
  shape("Brevo API key", "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
  shape("Resend API key", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
  shape("Typeform token", "tfp_[A-Za-z0-9_.=-]{59}"),
  shape("Dynatrace token", "dt0[a-z]01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  shape("Buildkite token", "bkua_[a-f0-9]{40}"),
  shape("SonarQube token", "sq[pua]_[a-f0-9]{40}"),
  shape("Heroku API key", "HRKU-[A-Za-z0-9_-]{58,64}"),
  shape("crates.io token", "cio[A-Za-z0-9]{32}"),
  shape("1Password service account token", "ops_eyJ[A-Za-z0-9+/_-]{250,}={0,2}"),
  shape("Alibaba Cloud access key ID", "LTAI(?:5t[A-Za-z0-9]{18}|[A-Za-z0-9]{12}|[A-Za-z0-9]{20})"),
  shape("NuGet API key", "oy2[a-z0-9]{43}"),
  shape("Dropbox token", "sl\\.(?:u\\.)?[A-Za-z0-9_-]{130,}"),
  shape("EasyPost API key", "EZAK[A-Za-z0-9]{54}"),
  shape("Mapbox secret token", "sk\\.eyJ1Ijoi[A-Za-z0-9_-]{40,}\\.[A-Za-z0-9_-]{22}"),
  shape("Azure storage key", "AccountKey=(?<key>[A-Za-z0-9+/]{86}==)"),
  {
    kind: "password in an address",
    pattern:
      /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|https?|ftp|smtps?):\/\/[^\s:@/'"`<>{}$]*:(?<secret>[^\s:@/'"`<>{}$%]{6,})@(?!(?:localhost|127\.|0\.0\.0\.0|example\.|[\w-]+(?::|\/|$)))[\w.-]+/g,
  },
];
