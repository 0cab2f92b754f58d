import type { Ctl } from '../ctl.ts';
import { CtlError, ExitError, UnknownNameError } from '../errors.ts';
import verbs from './role-verbs.json' with { type: 'json' };

/** A resource as rules name it: with its part after a slash. */
export interface RuleResource {
  readonly group: string;
  readonly resource: string;
}

/** Verbs that only make sense on a few resources, by group and name. */
const special: Readonly<Record<string, readonly (readonly string[])[]>> = verbs.special;

/** What `--resource` names, as the server knows it. @throws CtlError as release 1.20 words it */
export async function readRuleResources(
  ctl: Ctl,
  given: readonly string[],
  allowedVerbs: readonly string[],
): Promise<readonly RuleResource[]> {
  if (given.includes('*')) return [{ group: '', resource: '*' }];
  const found: RuleResource[] = [];
  for (const text of given) {
    const slash = text.indexOf('/');
    const part = slash < 0 ? '' : text.slice(slash);
    const typed = slash < 0 ? text : text.slice(0, slash);
    const dot = typed.indexOf('.');
    const named = { name: dot < 0 ? typed : typed.slice(0, dot), group: dot < 0 ? '' : typed.slice(dot + 1) };
    if (named.name === '') throw new CtlError('resource must be specified if apiGroup/subresource specified');
    if (named.name === '*') {
      found.push({ group: named.group, resource: `*${part}` });
      continue;
    }
    const { group, name } = await identify(ctl, { ...named, typed }, allowedVerbs);
    found.push({ group, resource: name + part });
  }
  return found;
}

interface NamedResource {
  readonly name: string;
  readonly group: string;
  readonly typed: string;
}

async function identify(
  ctl: Ctl,
  named: NamedResource,
  allowedVerbs: readonly string[],
): Promise<Pick<NamedResource, 'name' | 'group'>> {
  let failure: unknown;
  let found: Pick<NamedResource, 'name' | 'group'> = named;
  try {
    const known = await ctl.findResource(named.typed);
    // Rules have no versions, so one in the name is no group.
    if (known.group.startsWith(named.group)) found = known;
    else failure = unknownResource(named, '');
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
    failure = unknownResource(named, error instanceof UnknownNameError ? error.advice : '');
  }
  const { name, group } = found;
  for (const verb of allowedVerbs) {
    const places = Object.hasOwn(special, verb) ? special[verb] : undefined;
    if (places === undefined) continue;
    const fits = places.some(([in_ = '', what]) => what === name && ctl.dialect.spell(in_) === group);
    if (!fits) throw new CtlError(`can not perform '${verb}' on '${name}' in group '${group}'`);
    failure = undefined;
  }
  if (failure !== undefined) throw failure;
  return found;
}

/** The release's client prints it without a word in front. */
function unknownResource({ name, group }: NamedResource, advice: string): ExitError {
  const where = group === '' ? '' : ` in group ${JSON.stringify(group)}`;
  return new ExitError(1, `the server doesn't have a resource type ${JSON.stringify(name)}${where}${advice}`);
}
