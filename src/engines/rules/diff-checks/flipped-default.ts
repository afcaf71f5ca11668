/** A feature that was off and is on, or the other way round, for everybody who did not choose. */
import { changed, type Rule } from "../rule.ts";
import { exchangeOf, isFalse, isTrue } from "./exchange.ts";
import { type RemovalCheck, shown } from "./removal.ts";

const defaultFlipped: Rule = {
  id: "any/default-flipped",
  title: "feature switched on or off by default",
  category: "configuration",
  severity: "low",
  cwe: null,
  message: "`{name}` changes from `{before}` to `{after}`: is that meant for everybody who did not choose?",
  why: "Whoever relies on the default gets another behavior with the next release.",
  advice: "Say it in the changelog, and how to get the old behavior back.",
  placement: "summary",
  bad: [
    changed("config/app.yml", "enable_cache: false\n", "enable_cache: true\n"),
    changed(
      "src/flags.ts",
      "export const newCheckoutEnabled = false;\n",
      "export const newCheckoutEnabled = true;\n",
    ),
    changed("shop/flags.py", "FEATURE_WALLET = True\n", "FEATURE_WALLET = False\n"),
  ],
  ok: [
    changed("src/a.ts", "  button.enabled = false;\n", "  button.enabled = true;\n"),
    changed("src/a.ts", "const done = false;\n", "const done = true;\n"),
    changed("src/flags.ts", "const walletEnabled = false;\n", "const walletEnabled = isSet(wallet);\n"),
  ],
};

const feature =
  /^["']?(?:\w*feature_?\w*|\w*experiment(?:al)?\w*|enable_?\w+|disable_?\w+|\w+_?(?:enabled|disabled)|use_[a-z]\w*)["']?$/i;

export const flippedDefaults: RemovalCheck = {
  rules: [defaultFlipped],
  find(removal) {
    const exchange = exchangeOf(removal);
    if (exchange === null) return null;
    const { lead, before, after, line } = exchange;
    const [owner, name] = [lead.at(-3)?.text, lead.at(-2)?.text ?? ""];
    if (!/^(?:=|:|=>|:=)$/.test(lead.at(-1)?.text ?? "") || !feature.test(name)) return null;
    // What an object is told while it runs is no default.
    if (owner === "." || owner === "->" || owner === "::") return null;
    if (!(isTrue(before) && isFalse(after)) && !(isFalse(before) && isTrue(after))) return null;
    return {
      rule: defaultFlipped,
      oldLine: line,
      values: { name: shown(name), before, after },
      movedWith: [],
    };
  },
};
