import { asJsonObject, asText, errorText } from '../../base/index.ts';
import { type ConfigOf, OptionsError } from '../../config/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import { generatorOptions, createGenerated as send } from '../changes/generated.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, UsageError } from '../errors.ts';
import type { WireObject } from '../resource/api-object.ts';

export { generatorOptions };

/** `--append-hash`. */
export const appendHashOption = {
  name: 'append-hash',
  type: 'bool',
  section: 'Object',
  help: 'Add a hash of the content to the name, so that other content is another object.',
} as const;

/** What the release's client calls some objects that could not be created, and forgets the reason of. */
const failureNames: Readonly<Record<string, string>> = {
  ClusterRoleBinding: 'clusterrolebinding',
  CronJob: 'cronjob',
  Deployment: 'deployment',
  Ingress: 'ingress',
  Job: 'job',
  // Sic.
  PriorityClass: 'clusterrolebinding',
  ResourceQuota: 'quota',
  RoleBinding: 'rolebinding',
};

function serviceName({ kind, spec }: WireObject): string | undefined {
  return kind === 'Service' ? `${asText(asJsonObject(spec).type)} service` : undefined;
}

/** Creates an object that was made from flags and reports it. */
export async function createGenerated(
  ctl: Ctl,
  options: ConfigOf<typeof generatorOptions>,
  object: WireObject,
): Promise<void> {
  try {
    await send(ctl, options, { object, verb: 'create', operation: 'created' });
  } catch (error) {
    const failureName = failureNames[object.kind] ?? serviceName(object);
    // Scripts may look for the release's words; ours say the reason.
    if (!(error instanceof StatusError) || failureName === undefined || ctl.dialect.name === 'orch')
      throw error;
    throw new CtlError(`failed to create ${failureName}: ${errorText(error)}`, { cause: error });
  }
}

/** The one argument of such a command. @throws UsageError */
export function takeName(args: readonly string[]): string {
  const [name, ...rest] = args;
  if (name === undefined || rest.length > 0) {
    throw new UsageError(`exactly one NAME is required, got ${args.length}`);
  }
  if (name === '') throw new CtlError('name must be specified');
  return name;
}

/** Flags that must be given, be it without a value. @throws OptionsError naming those that are not */
export function requireFlags<Key extends string>(
  given: { has(key: NoInfer<Key>): boolean },
  flags: Readonly<Record<Key, string>>,
): void {
  // Its keys are those of the type.
  const missing = (Object.keys(flags) as Key[]).filter((key) => !given.has(key));
  if (missing.length === 0) return;
  const names = missing.map((key) => JSON.stringify(flags[key])).join(', ');
  throw new OptionsError([`required flag(s) ${names} not set`]);
}
