/** Rules about where a project's dependencies come from. */
import { changed, newFile, type Rule } from "../rule.ts";

export const anyVersion: Rule = {
  id: "any/dependency-any-version",
  title: "dependency in any version",
  category: "dependency",
  severity: "medium",
  cwe: 1104,
  message: "`{name}` is taken in whatever version is newest.",
  why: "A release that breaks the program, or one by somebody who took the package over, comes in without a commit.",
  advice: "Name a range: `^1.2.3`.",
  placement: "inline",
  bad: [
    packageJson('"dependencies": { "left-pad": "*" }'),
    packageJson('"devDependencies": { "left-pad": "latest" }'),
  ],
  ok: [
    packageJson('"dependencies": { "left-pad": "^1.3.0" }'),
    packageJson('"peerDependencies": { "react": "*" }'),
    packageJson('"dependencies": { "@acme/ui": "workspace:*" }'),
    packageJson('"engines": { "node": "*" }'),
    packageJson('"dependencies": { "left-pad": "npm:right-pad@1.0.0" }'),
    packageJson('"private": true, "workspaces": ["packages/*"], "dependencies": { "@acme/ui": "*" }'),
  ],
};

export const movingSource: Rule = {
  id: "any/dependency-branch",
  title: "dependency from a branch",
  category: "dependency",
  severity: "medium",
  cwe: 829,
  message: "`{source}` is taken from whatever its branch holds at the time.",
  why: "Whoever can push there changes this program without a commit here, and an old version cannot be built again.",
  advice: "Name a commit or a tag.",
  placement: "inline",
  bad: [
    packageJson('"dependencies": { "a": "github:acme/a" }'),
    newFile("requirements.txt", "git+https://github.com/acme/a.git@main#egg=a\n"),
    newFile("Cargo.toml", '[dependencies]\na = { git = "https://github.com/acme/a" }\n'),
  ],
  ok: [
    packageJson(`"dependencies": { "a": "github:acme/a#${"0a".repeat(20)}" }`),
    packageJson('"dependencies": { "a": "git+https://github.com/acme/a.git#v1.2.3" }'),
    packageJson('"repository": "github:acme/a"'),
    newFile("requirements.txt", "git+https://github.com/acme/a.git@v1.2.3#egg=a\n"),
    newFile("requirements.txt", "-e git+ssh://git@github.com/acme/a.git@0a0a0a0#egg=a\n"),
    newFile("Cargo.toml", '[dependencies]\na = { git = "https://github.com/acme/a", rev = "0a0a0a0" }\n'),
    // Bundler writes the commit into Gemfile.lock.
    newFile("Gemfile", 'gem "a", github: "acme/a", branch: "main"\n'),
    newFile("Cargo.toml", '[package]\nrepository = "https://github.com/acme/a"\n'),
  ],
};

export const overHttp: Rule = {
  id: "any/dependency-over-http",
  title: "dependency over an open connection",
  category: "dependency",
  severity: "high",
  cwe: 494,
  message: "What comes from `{address}` can be exchanged on the way.",
  why: "Anybody on the way can put code of their own into the build.",
  advice: "Use `https://`.",
  placement: "inline",
  bad: [
    packageJson('"dependencies": { "a": "http://packages.corp/a-1.0.tgz" }'),
    newFile("requirements.txt", "--index-url http://packages.corp/simple\n"),
    newFile(".npmrc", "registry=http://packages.corp/\n"),
    newFile("Gemfile", "source 'http://rubygems.org'\n"),
    newFile("build.gradle", 'repositories {\n  maven { url "http://packages.corp/maven" }\n}\n'),
  ],
  ok: [
    packageJson('"dependencies": { "a": "https://packages.corp/a-1.0.tgz" }'),
    packageJson('"homepage": "http://acme.corp/"'),
    newFile(".npmrc", "registry=http://localhost:4873/\n"),
    newFile("requirements.txt", "# http://packages.corp\nrequests==2.31.0\n"),
    newFile("build.gradle", 'repositories {\n  maven { url "https://packages.corp/maven" }\n}\n'),
  ],
};

export const installScript: Rule = {
  id: "any/install-script",
  title: "new script that runs on install",
  category: "dependency",
  severity: "medium",
  cwe: 829,
  message: "`{name}` now runs `{command}` on the machine of everybody who installs this package.",
  why: "Install scripts are how taken-over packages spread, and many places refuse to run them.",
  advice: "Is it needed? Do the work when the package is built or published, if that is possible.",
  placement: "inline",
  bad: [
    changed(
      "package.json",
      '{\n  "name": "a"\n}\n',
      '{\n  "name": "a",\n  "scripts": { "postinstall": "node fetch.js" }\n}\n',
    ),
  ],
  ok: [
    changed(
      "package.json",
      '{\n  "name": "a"\n}\n',
      '{\n  "name": "a",\n  "scripts": { "postinstall": "husky install" }\n}\n',
    ),
    changed(
      "package.json",
      '{\n  "scripts": { "postinstall": "node fetch.js" }\n}\n',
      '{\n  "scripts": { "postinstall": "node fetch.js" },\n  "name": "a"\n}\n',
    ),
    changed(
      "package.json",
      '{\n  "private": true\n}\n',
      '{\n  "private": true,\n  "scripts": { "postinstall": "node fetch.js" }\n}\n',
    ),
    changed(
      "package.json",
      '{\n  "name": "a"\n}\n',
      '{\n  "name": "a",\n  "scripts": { "build": "node build.js" }\n}\n',
    ),
    packageJson('"scripts": { "postinstall": "node fetch.js" }'),
  ],
};

export const newRegistry: Rule = {
  id: "any/registry-change",
  title: "packages from another place",
  category: "dependency",
  severity: "medium",
  cwe: 829,
  message: "Packages now come from `{host}` as well.",
  why: "Whoever runs it decides what is installed, also under the names of packages from elsewhere.",
  advice: "Is that meant? Bind it to a scope or to the packages that are only there.",
  placement: "inline",
  bad: [
    changed(".npmrc", "save-exact=true\n", "save-exact=true\nregistry=https://packages.corp/\n"),
    changed(
      "requirements.txt",
      "requests==2.31.0\n",
      "--extra-index-url https://packages.corp/simple\nrequests==2.31.0\n",
    ),
  ],
  ok: [
    changed(".npmrc", "save-exact=true\n", "save-exact=true\nregistry=https://registry.yarnpkg.com/\n"),
    changed(".npmrc", "save-exact=true\n", "save-exact=true\n@acme:registry=https://packages.corp/\n"),
    changed(".npmrc", "registry=https://packages.corp/\n", "registry=https://packages.corp/npm/\n"),
    changed("requirements.txt", "torch\n", "--extra-index-url https://download.pytorch.org/whl/cpu\ntorch\n"),
    newFile(".npmrc", "save-exact=true\n"),
    changed("pip.conf", "[global]\n", "[global]\nindex-url = https://download.pytorch.org/whl/cpu\n"),
  ],
};

export const unverifiedRegistry: Rule = {
  id: "any/registry-unverified",
  title: "packages without checking who sends them",
  category: "dependency",
  severity: "high",
  cwe: 295,
  message: "`{setting}` turns off the check of the server's certificate.",
  why: "Anybody on the way can put code of their own into the build.",
  advice: "Add the missing certificate authority, and leave the check on.",
  placement: "inline",
  bad: [
    newFile(".npmrc", "strict-ssl=false\n"),
    newFile("pip.conf", "[global]\ntrusted-host = packages.corp\n"),
    newFile(".yarnrc.yml", "enableStrictSsl: false\n"),
  ],
  ok: [
    newFile(".npmrc", "strict-ssl=true\n"),
    newFile("pip.conf", "[global]\n# trusted-host = packages.corp\n"),
    newFile(".npmrc", "; strict-ssl=false\n"),
    newFile("pip.conf", "[global]\ntrusted-host = localhost\n"),
  ],
};

function packageJson(members: string) {
  return newFile("package.json", `{\n  "name": "shop",\n  ${members}\n}\n`);
}
