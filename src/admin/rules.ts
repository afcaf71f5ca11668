/** What reviews look for: the built-in rules, and those that the organization adds. */
import { Type } from "@sinclair/typebox";
import { type Category, categories, type Severity, severities } from "../domain/comment.ts";
import { AppError } from "../domain/errors.ts";
import {
  type OwnRule,
  organizationRules,
  type RuleDescription,
  setOrganizationRules,
} from "../domain/rule.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";

const severity = Type.Union(severities.map((value) => Type.Literal<Severity>(value)));
const category = Type.Union(categories.map((value) => Type.Literal<Category>(value)));

const RuleInList = Type.Object({
  id: Type.String(),
  title: Type.String(),
  languages: Type.Array(Type.String()),
  category,
  severity,
  cwe: Type.Union([Type.Integer(), Type.Null()]),
  placement: Type.Union([Type.Literal("inline"), Type.Literal("summary")], {
    description: "Whether it comments on the line, or is only mentioned in the summary.",
  }),
  source: Type.Union([Type.Literal("built-in"), Type.Literal("organization")]),
});

const Example = Type.Object({
  path: Type.String(),
  before: Type.Union([Type.String(), Type.Null()]),
  after: Type.String(),
});

const WholeRule = Type.Object({
  ...RuleInList.properties,
  message: Type.String({ description: "What a comment says first; `{NAME}` shows a piece of the code." }),
  why: Type.String(),
  advice: Type.String(),
  bad: Type.Array(Example, { description: "Changes that it comments on." }),
  ok: Type.Array(Example, { description: "Changes that it leaves alone." }),
  ignore: Type.String({
    description: "The comment that silences it, on the line or alone on the one above.",
  }),
});

/** An id is a group and a name: `js/eval`. */
const RuleId = {
  group: Type.String({ pattern: "^[a-z][a-z0-9-]*$" }),
  name: Type.String({ pattern: "^[a-z0-9][a-z0-9-]*$" }),
};

export const rulesMax = 200;

export const listRules = operation({
  name: "rules.list",
  method: "GET",
  path: "/api/rules",
  role: "member",
  summary: "List what reviews look for.",
  input: Type.Object(
    {
      language: Type.Optional(Type.String({ minLength: 1 })),
      category: Type.Optional(category),
      severity: Type.Optional(severity),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    data: Type.Array(RuleInList),
    problems: Type.Array(Type.String(), { description: "Why rules that were added are not in use." }),
  }),
  async run(context, filter) {
    const { rules, problems } = await allRules(context);
    return {
      problems,
      data: rules.filter(
        (rule) =>
          (filter.language === undefined || rule.languages.includes(filter.language)) &&
          (filter.category === undefined || rule.category === filter.category) &&
          (filter.severity === undefined || rule.severity === filter.severity),
      ),
    };
  },
});

export const showRule = operation({
  name: "rules.show",
  method: "GET",
  path: "/api/rules/:group/:name",
  role: "member",
  summary: "Show a rule: why it is one, bad and good examples, how to ignore it.",
  input: Type.Object(RuleId, { additionalProperties: false }),
  output: WholeRule,
  async run(context, { group, name }) {
    const id = `${group}/${name}`;
    const rule = (await allRules(context)).rules.find((each) => each.id === id);
    if (rule === undefined) throw unknownRule(id);
    return shownRule(rule, rule.source);
  },
});

export function shownRule(rule: RuleDescription, source: ListedRule["source"]) {
  return { ...rule, source, ignore: `plumbline-ignore: ${rule.id} <reason>` };
}

export const addRule = operation({
  name: "rules.add",
  method: "POST",
  path: "/api/rules",
  role: "admin",
  summary: "Add a rule for all of the organization's repositories, or replace the one with its id.",
  input: Type.Object(
    {
      path: Type.String({
        minLength: 1,
        maxLength: 200,
        description: "What messages about it call the file.",
      }),
      text: Type.String({ minLength: 1, maxLength: 65_536, description: "The rule, as YAML." }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ id: Type.String() }),
  async run(context, file) {
    const rule = context.ruleBook.read(file);
    if ("problem" in rule) throw unfit([rule.problem]);
    const problems = await context.ruleBook.check(file);
    if (problems.length > 0) throw unfit(problems);
    const { id } = rule;
    await changeRules(context, (rules) => {
      const others = rules.filter((rule) => rule.id !== id);
      if (others.length >= rulesMax) {
        throw new AppError("conflict", `There are ${rulesMax} rules already; remove one first.`);
      }
      return [...others, { id, ...file }];
    });
    context.logger.info("rule added", { id, by: context.caller.actorId });
    return { id };
  },
});

export const removeRule = operation({
  name: "rules.remove",
  method: "DELETE",
  path: "/api/rules/:group/:name",
  role: "admin",
  summary: "Remove a rule of the organization's own.",
  input: Type.Object(RuleId, { additionalProperties: false }),
  output: Type.Object({ id: Type.String() }),
  async run(context, { group, name }) {
    const id = `${group}/${name}`;
    await changeRules(context, (rules) => {
      const others = rules.filter((rule) => rule.id !== id);
      if (others.length === rules.length) throw unknownRule(id);
      return others;
    });
    context.logger.info("rule removed", { id, by: context.caller.actorId });
    return { id };
  },
});

type ListedRule = RuleDescription & { source: "built-in" | "organization" };

async function allRules(context: AdminContext): Promise<{ rules: ListedRule[]; problems: string[] }> {
  const builtIn = await context.ruleBook.builtIn();
  const rules = builtIn.map((rule): ListedRule => ({ ...rule, source: "built-in" }));
  const problems: string[] = [];
  for (const file of await organizationRules(context.store.settings, context.caller.organizationId)) {
    const rule = context.ruleBook.read(file);
    if ("problem" in rule) problems.push(rule.problem);
    else rules.push({ ...rule, source: "organization" });
  }
  return { rules, problems };
}

/** What `change` throws changes nothing. */
async function changeRules(
  { store, caller }: AdminContext,
  change: (rules: readonly OwnRule[]) => readonly OwnRule[],
): Promise<void> {
  await store.transaction(async (tx) => {
    const rules = await organizationRules(tx.settings, caller.organizationId);
    await setOrganizationRules(tx.settings, caller.organizationId, change(rules));
  });
}

function unfit(problems: readonly string[]): AppError {
  return new AppError("validation_failed", problems.join("; "), {
    fields: problems.map((message) => ({ path: "/text", code: "invalid", message })),
  });
}

function unknownRule(id: string): AppError {
  return new AppError("not_found", `There is no rule ${id}.`);
}
