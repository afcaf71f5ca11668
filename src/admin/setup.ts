/** The first run: the organization, its plan and its owner. */
import { Type } from "@sinclair/typebox";
import { AppError } from "../domain/errors.ts";
import type { Organization } from "../domain/organization.ts";
import { defaultPlan } from "../domain/plan.ts";
import type { Administration } from "./context.ts";
import { localOperation } from "./operation.ts";

export const setUp = localOperation({
  name: "setup",
  summary: "Make the organization and its owner.",
  input: Type.Object(
    {
      organization: Type.String({
        pattern: "^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$",
        description: "a short name: up to 40 lower-case letters and digits, with - between them",
      }),
      admin_email: Type.String({ minLength: 3, maxLength: 254 }),
      admin_password: Type.String(),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    organization: Type.Object({ id: Type.String(), slug: Type.String() }),
    owner: Type.Object({ id: Type.String(), email: Type.String() }),
  }),
  async run(administration, input) {
    const { people, logger } = administration;
    if (await people.hasOwner()) throw await alreadySetUp(administration);
    people.checkNewOwner({
      organizationName: input.organization,
      email: input.admin_email,
      password: input.admin_password,
    });
    // The owner comes last and makes it final: a set-up that was cut short before is taken up again.
    const organization = await findOrMakeOrganization(administration, input.organization);
    const owner = await people.makeOwner({
      organizationId: organization.id,
      organizationName: organization.slug,
      email: input.admin_email,
      password: input.admin_password,
    });
    logger.info("set up", { organization: organization.id, owner: owner.userId });
    return {
      organization: { id: organization.id, slug: organization.slug },
      owner: { id: owner.userId, email: owner.email },
    };
  },
});

/** One organization an installation for now. Errors: AppError `conflict` before set-up. */
export async function theOrganization({ store, people }: Administration): Promise<Organization> {
  const [organization] = await store.organizations.list();
  if (organization !== undefined && (await people.hasOwner())) return organization;
  throw new AppError("conflict", "Plumbline is not set up yet; run: plumbline setup");
}

async function alreadySetUp(administration: Administration): Promise<AppError> {
  const { slug } = await theOrganization(administration);
  return new AppError("conflict", `Plumbline is set up already, for the organization ${slug}.`);
}

async function findOrMakeOrganization(
  { store, ids, clock }: Administration,
  slug: string,
): Promise<Organization> {
  const [known] = await store.organizations.list();
  if (known !== undefined && known.slug !== slug) {
    const message = `A set-up for the organization ${known.slug} was cut short; finish it with: --org ${known.slug}`;
    throw new AppError("conflict", message);
  }
  if (known !== undefined) return known;
  const organization: Organization = {
    id: ids.next("org"),
    slug,
    name: slug,
    plan: defaultPlan.name,
    creditsPerMonth: null,
    requestsPerHour: null,
    createdAt: clock.now(),
  };
  await store.transaction(async (tx) => {
    if ((await tx.plans.get(defaultPlan.name)) === null) await tx.plans.put(defaultPlan);
    await tx.organizations.insert(organization);
  });
  return organization;
}
