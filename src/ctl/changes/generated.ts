import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { ConfigOf } from '../../config/index.ts';
import { applyMergePatch, PatchError, parseMergePatch } from '../../machinery/patch/index.ts';
import { DecodeError } from '../../machinery/schema/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError } from '../errors.ts';
import { recordOption, saveConfigOption, validateOption } from '../options/change.ts';
import { dryRunOption, fieldManagerOption, printOptions, readDryRun } from '../options/shared.ts';
import { isWireObject, type WireObject } from '../resource/api-object.ts';
import type { Target } from '../resource/target.ts';
import { createTypeFinder } from './built-in-type.ts';
import { withChangeCause } from './change-cause.ts';
import { createObject, nameOf } from './create-object.ts';
import { withTypedConfiguration } from './last-applied.ts';
import { createReporter } from './reporter.ts';

/** Options of every command that makes an object from flags. */
export const generatorOptions = [
  dryRunOption,
  fieldManagerOption,
  saveConfigOption,
  recordOption,
  {
    ...validateOption,
    help: 'Accepted for the sake of scripts: what the command makes fits its kind, and the server checks it.',
  },
  ...printOptions,
] as const;

/** `--overrides` of commands that take it. */
export const overridesOption = {
  name: 'overrides',
  type: 'string',
  valueName: 'JSON',
  section: 'Object',
  help: 'JSON that is merged into the object before it is sent.',
} as const;

/** What to send, and how it is recorded and reported. */
export interface GeneratedObject {
  readonly object: WireObject;
  /** The command in the default name of the field manager. */
  readonly verb: string;
  readonly operation: string;
  /** As `--overrides` has it. */
  readonly overrides?: string | undefined;
  /** Where it goes, when that is not the context's namespace. */
  readonly namespace?: string | undefined;
  /**
   * How a client's rehearsal shows it: whole, which is the default, without the configuration that `--save-config` keeps, or
   * bare, without a namespace too.
   */
  readonly rehearsal?: 'whole' | 'unsaved' | 'bare' | undefined;
}

/** What became of an object, where it is, and how to tell of it. */
export interface SentObject extends Pick<Target, 'namespace'> {
  /** Undefined when no server was asked. */
  readonly resource: DiscoveredResource | undefined;
  readonly object: unknown;
  readonly name: string;
  report(): void;
}

/** Creates an object that was made from flags and reports it. @throws StatusError, CtlError */
export async function createGenerated(
  ctl: Ctl,
  options: ConfigOf<typeof generatorOptions>,
  generated: GeneratedObject,
): Promise<void> {
  (await sendGenerated(ctl, options, generated)).report();
}

/** The same for what is reported later, or not at all. @throws StatusError, CtlError */
export async function sendGenerated(
  ctl: Ctl,
  options: ConfigOf<typeof generatorOptions>,
  generated: GeneratedObject,
): Promise<SentObject> {
  const dryRun = readDryRun(options.dryRun);
  const { overrides = '' } = generated;
  const wanted = overrides === '' ? generated.object : await override(ctl, generated.object, overrides);
  // What only the client shows needs no server; but nobody knows which kind overrides make of it.
  const isOffline = dryRun === 'client' && overrides === '';
  const resource = isOffline ? undefined : await ctl.findKind(wanted.apiVersion, wanted.kind, 'flags');
  const kind = resource ?? describeKind(wanted);
  const context = await ctl.context();
  const namespace = kind.isNamespaced ? (generated.namespace ?? context.namespace) : '';
  const form = dryRun === 'client' ? (generated.rehearsal ?? 'whole') : 'whole';
  const place = (isPlaced: boolean) =>
    kind.isNamespaced && isPlaced && form !== 'bare' ? { namespace } : {};
  // The configuration that is kept has a namespace only where the user named it.
  const metadata = { ...wanted.metadata, ...place(context.isNamespaceEnforced) };
  const recorded = withChangeCause(ctl, { ...wanted, metadata });
  const isSaved = options.saveConfig && form === 'whole';
  const kept = isSaved ? withTypedConfiguration(await typedForm(ctl, recorded), ctl.dialect) : recorded;
  const saved = { ...kept, metadata: { ...kept.metadata, ...place(dryRun !== 'client') } };
  // Only what nobody but the client has seen must be written as a server would.
  const isShown = dryRun === 'client' && options.output !== undefined;
  const object = isShown ? await typedForm(ctl, saved) : saved;
  const report = await createReporter(ctl, options, { dryRun, isTyped: true });
  const fieldManager = options.fieldManager ?? ctl.fieldManager(generated.verb);
  const created =
    resource === undefined
      ? object
      : await createObject(ctl, { resource, namespace, object }, { dryRun, fieldManager });
  const name = nameOf(created);
  const { operation } = generated;
  return {
    resource,
    namespace,
    object: created,
    name,
    report: () => report({ resource: kind, object: created, name, operation }),
  };
}

/** Kinds that commands make from flags and that belong to no namespace. */
const clusterKinds = new Set(['ClusterRole', 'ClusterRoleBinding', 'Namespace', 'PriorityClass']);

function describeKind({ apiVersion, kind }: WireObject) {
  const group = apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '';
  return { group, kind, isNamespaced: !clusterKinds.has(kind) };
}

async function override(ctl: Ctl, object: WireObject, overrides: string): Promise<WireObject> {
  try {
    const patched = applyMergePatch(object, parseMergePatch(JSON.parse(overrides)));
    if (isWireObject(patched)) return await typedForm(ctl, patched);
  } catch (error) {
    const isBad = error instanceof SyntaxError || error instanceof PatchError || error instanceof DecodeError;
    if (!isBad) throw error;
  }
  throw new CtlError('Invalid JSON Patch');
}

/** All members that the type always has, in its order; objects of types that the client does not know stay as they are. */
export async function typedForm(ctl: Ctl, object: WireObject): Promise<WireObject> {
  const builtIn = await createTypeFinder(ctl.dialect)(object);
  const decoded: unknown = builtIn?.type.decode(object);
  return isWireObject(decoded) ? decoded : object;
}
