/** Rules about credentials in the repository. */
import { newFile, type Rule } from "../rule.ts";
import { gitHubChecksum } from "./secret-checksums.ts";

export const committedSecret: Rule = {
  id: "any/committed-secret",
  title: "credential in the code",
  category: "security",
  severity: "critical",
  cwe: 798,
  message: "A secret stands on this line: {kind} ({masked}).",
  why: "Everyone who can read the repository, now or later, can use it; deleting the line does not take it out of the history.",
  advice: "Revoke it and issue a new one, then read it from the environment or a secret store.",
  placement: "inline",
  bad: [
    newFile("deploy.sh", `export TOKEN=${["glpat", "x7Qm2LrT9vKd4WnB8sYc"].join("-")}\n`),
    newFile("config.py", `KEY = "${["AKIA", "Q3EGRZ5TXK7BWN2M"].join("")}"\n`),
    newFile(
      "settings.yml",
      `url: postgres://shop:${["vX4", "kq9Rt2"].join("")}@db.internal.corp:5432/shop\n`,
    ),
    newFile(".env", `TOKEN=${githubToken("Ab3kQ9xZ2mN7pR4tV8wY1cD5fG6hJ0")}\n`),
    newFile("test/a.test.ts", `const token = "${githubToken("Ab3kQ9xZ2mN7pR4tV8wY1cD5fG6hJ0")}";\n`),
    newFile(
      "src/db.ts",
      `export const url = "redis://:${["vX4", "kq9Rt2"].join("")}@cache.acme.corp:6379/0";\n`,
    ),
    newFile(
      "bot.js",
      `client.login("${["MTA1Nzk0MzE3ODYxMjU0NTY3", "GxQ2aZ", `${"q8Lw3Vt6Yb1Nc5Hd"}${"7Kf0Jr2Ms4P"}`].join(".")}");\n`,
    ),
    newFile(
      "app.properties",
      `url=jdbc:mysql://db.acme.corp/shop?user=shop&password=${["vX4", "kq9Rt2"].join("")}\n`,
    ),
    newFile(
      "appsettings.json",
      `{ "Default": "Server=tcp:db.acme.corp,1433;User ID=shop;Password=${["vX4", "kq9Rt2"].join("")};" }\n`,
    ),
    newFile("deploy/.netrc", `machine git.acme.corp login ci password ${["vX4", "kq9Rt2"].join("")}\n`),
    newFile(
      "deploy.sh",
      `curl -H "Authorization: Bearer ${["Zt4Kq9Rt2vXw", "8LmP3sYb6NcH"].join("")}" https://api.acme.corp\n`,
    ),
    newFile("client.py", `headers = {"Authorization": "Basic ${btoa(["shop:vX4", "kq9Rt2"].join(""))}"}\n`),
    newFile("client.py", `KEY = "${webToken({ role: "service_role", iat: 1_700_000_000 })}"\n`),
    newFile("bot.py", `TOKEN = "${["80714263", "AAHq3k9Xz7vL2pWm5RtB8nYcD4fG6sJ1uQe"].join(":")}"\n`),
  ],
  ok: [
    newFile("README.md", "export TOKEN=glpat-xxxxxxxxxxxxxxxxxxxx\n"),
    newFile("config.py", 'KEY = "AKIAIOSFODNN7EXAMPLE"\n'),
    newFile("settings.yml", "url: postgres://user:password@localhost:5432/shop\n"),
    newFile("settings.yml", "url: postgres://shop:$DB_PASSWORD@db.internal.corp/shop\n"),
    newFile("deploy.sh", `export TOKEN=${["ghp", "Ab3kQ9xZ2mN7pR4tV8wY1cD5fG6hJ0lLmMnN"].join("_")}\n`),
    newFile("test/a.test.ts", `const token = "${["glpat", "x7Qm2LrT9vKd4WnB8sYc"].join("-")}";\n`),
    newFile("settings.yml", "url: https://user:secret123@example.com/\n"),
    newFile("src/db.ts", 'const url = "redis://:secret@localhost:6379/0";\n'),
    newFile("app.properties", "url=jdbc:mysql://localhost/shop?user=shop&password=vX4kq9Rt2\n"),
    newFile("appsettings.json", '{ "Default": "Server=localhost;User ID=sa;Password=vX4kq9Rt2;" }\n'),
    newFile("client.py", 'headers = {"Authorization": "Basic dXNlcm5hbWU6cGFzc3dvcmQ="}\n'),
    newFile("docs/api.md", 'curl -H "Authorization: Bearer Zt4Kq9Rt2vXw8LmP3sYb6NcH"\n'),
    newFile("client.ts", 'const header = "Bearer " + accessTokenOfTheCurrentUser;\n'),
    newFile("client.ts", `const anonKey = "${webToken({ role: "anon", iat: 1_700_000_000 })}";\n`),
    newFile(
      "client.ts",
      `const token = "${webToken({ sub: "7", iat: 1_700_000_000, exp: 1_700_003_600 })}";\n`,
    ),
    newFile("yarn.lock", "integrity sha512-AKIAq3egrz5txk7bwn2m==\n"),
  ],
};

export const hardcodedCredential: Rule = {
  id: "any/hardcoded-credential",
  title: "password or key written into the code",
  category: "security",
  severity: "high",
  cwe: 798,
  message: "`{name}` gets its secret value here ({masked}).",
  why: "Everyone who can read the repository, now or later, can use it, and it cannot be changed without a release.",
  advice: "Read it from the environment or a secret store, and change it where it is in use.",
  placement: "inline",
  bad: [
    newFile("src/db.ts", `const dbPassword = "${["h7Kq", "92xLmZ"].join("")}";\n`),
    newFile("app.py", `API_KEY = "${["9f86d081884c7d65", "9a2feaa0c55ad015"].join("")}"\n`),
    newFile(".env", `DB_PASSWORD=${["h7Kq", "92xLmZ"].join("")}\n`),
    newFile("config/production.yml", `db:\n  password: ${["h7Kq", "92xLmZ"].join("")}\n`),
    newFile(".npmrc", `//registry.corp/:_authToken=${["h7Kq92xLmZ", "4vB8nT1cW6"].join("")}\n`),
    newFile("wp-config.php", `<?php define('DB_PASSWORD', '${["h7Kq", "92xLmZ"].join("")}');\n`),
    newFile("settings.py", `SECRET_KEY = "${["k3(Zt9#q&Lw2", "Vx-7mPb)4@Nc5", "Hd!8Kf0Jr"].join("")}"\n`),
    newFile(
      "client.js",
      `const o = { clientSecret: "${["Ze4JdHSA7YZGpz.YZ", "FH01PFFpk5x8hnRUO_eZU5Q"].join("")}" };\n`,
    ),
    newFile("app.properties", `spring.datasource.password=${["h7Kq", "92xLmZ"].join("")}\n`),
  ],
  ok: [
    newFile("src/db.ts", "const dbPassword = process.env.DB_PASSWORD;\n"),
    newFile("src/db.ts", 'const passwordField = "password-input";\n'),
    newFile("src/db.ts", 'const password = "changeme123";\n'),
    newFile("src/db.ts", 'const tokenUrl = "https://auth.corp/oauth2/token";\n'),
    newFile("test/db.test.ts", 'const password = "h7Kq92xLmZ";\n'),
    newFile("src/i18n.ts", 'const password = "Passwort8";\n'),
    newFile("src/routes.ts", 'const forgotPassword = "reset-password-2fa";\n'),
    newFile(".env.example", "DB_PASSWORD=h7Kq92xLmZ\n"),
    newFile(".env", "DB_PASSWORD=\nAPI_KEY=$VAULT_KEY\nSECRET_KEY=changeme\n"),
    newFile("config/app.yml", "password: db-password-1\nsecret: my_secret_2\n"),
    newFile("config/app.yml", `password: \${DB_PASSWORD1}\napi_key: <your key 1>\n`),
    newFile("app/Rules.php", "return ['password' => 'required|min:8|max:255'];\n"),
    newFile("wp-config.php", "<?php define('AUTH_KEY', 'put your unique phrase here');\n"),
    newFile("src/names.ts", 'const secretKey = "com.acme.shop.settings.SecretKeyProvider2";\n'),
    newFile("src/names.ts", 'const clientSecret = "projects/acme-prod-4711/secrets/Client1/versions/12";\n'),
    newFile("app.properties", "password=ENC(h7Kq92xLmZ4v)\n"),
    newFile("docs/setup.md", "password: h7Kq92xLmZ\n"),
    newFile(
      "site/config.ts",
      `const search = {\n  apiKey: "${["9f86d081884c7d65", "9a2feaa0c55ad015"].join("")}",\n  indexName: "docs",\n};\n`,
    ),
  ],
};

export const privateKey: Rule = {
  id: "any/private-key",
  title: "private key in the repository",
  category: "security",
  severity: "critical",
  cwe: 321,
  message: "A private key was committed.",
  why: "Whoever reads the repository can act as its owner; deleting the file does not take it out of the history.",
  advice: "Replace the key pair everywhere it is trusted, and keep the new private key in a secret store.",
  placement: "inline",
  bad: [
    newFile(
      "deploy/id_rsa",
      `${["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ")}\nMIIEowIBAAKCAQEAx1Fq8Z0bqHq3cJ7m3o2Yw7e5Vn0tQ4k9\n`,
    ),
    newFile(
      "config/service-account.json",
      `{ "private_key": "${["-----BEGIN", "PRIVATE KEY-----"].join(" ")}\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\\n" }\n`,
    ),
  ],
  ok: [
    newFile("src/pem.ts", 'const header = "-----BEGIN PRIVATE KEY-----";\n'),
    newFile("ca.pem", "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0B\n"),
    newFile(
      "docs/tls.md",
      `${["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ")}\nMIIEowIBAAKCAQEAx1Fq8Z0bqHq3cJ7m3o2Yw7e5Vn0tQ4k9\n`,
    ),
    newFile(
      "test/fixtures/key.pem",
      `${["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ")}\nMIIEowIBAAKCAQEAx1Fq8Z0bqHq3cJ7m3o2Yw7e5Vn0tQ4k9\n`,
    ),
  ],
};

/** A token of three parts, signed by nobody. */
function webToken(claims: Readonly<Record<string, unknown>>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [
    part({ alg: "HS256", typ: "JWT" }),
    part(claims),
    "k3Zt9qLw2Vx7mPb4Nc5Hd8Kf0JrSv6TyUe1Wi_QaOg",
  ].join(".");
}

/** A token of no account, with the checksum that GitHub would give it. */
function githubToken(random: string): string {
  return `ghp_${random}${gitHubChecksum(random)}`;
}
