import { asJsonObject, asList, asText, errorText, type JsonObject } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Ctl } from '../ctl.ts';
import { CtlError, throwGathered } from '../errors.ts';
import type { LiveTarget } from '../resource/resolve-objects.ts';
import { describeSource, fieldValue } from './env-changes.ts';
import { editContainers, editPodSpec, matchesWildcard } from './pod-spec.ts';
import { editOne, findObjects, type SetRun } from './run-set.ts';

/** Which containers are listed, and whether values of config maps and secrets are. */
export interface EnvListing {
  readonly containers: string;
  readonly resolves: boolean;
}

/**
 * Writes the variables that containers would have after the changes. Of objects that have none, or may not be changed so, it
 * says nothing, as the client of release 1.20. @throws what went wrong with finding objects
 */
export async function listEnv(ctl: Ctl, run: SetRun, { containers, resolves }: EnvListing): Promise<void> {
  const { objects, errors } = await findObjects(ctl, run);
  throwGathered(errors);
  for (const target of objects) {
    for (const container of containersOf(run, target, containers)) {
      ctl.io.stdout.write(`# ${target.object.kind} ${target.name}, container ${container.name}\n`);
      const failures: string[] = [];
      for (const variable of asList(container.env).map(asJsonObject)) {
        ctl.io.stdout.write(`${await describeVariable(ctl, target, variable, { resolves, failures })}\n`);
      }
      if (failures.length > 0) ctl.io.stderr.write(`${failures.sort().join('\n')}\n`);
    }
  }
}

/** Containers after the change; none of an object that cannot be changed. */
function containersOf(run: SetRun, target: LiveTarget, pattern: string): readonly JsonObject[] {
  const found: JsonObject[] = [];
  try {
    editPodSpec(editOne(run, target).object, (spec) =>
      editContainers(spec, 'containers', (container) => {
        if (matchesWildcard(pattern, asText(container.name))) found.push(container);
        return container;
      }),
    );
  } catch (error) {
    if (!(error instanceof CtlError)) throw error;
  }
  return found;
}

async function describeVariable(
  ctl: Ctl,
  target: LiveTarget,
  { name, value, valueFrom }: JsonObject,
  { resolves, failures }: { readonly resolves: boolean; readonly failures: string[] },
): Promise<string> {
  if (valueFrom === undefined) return `${name}=${asText(value)}`;
  const from = asJsonObject(valueFrom);
  if (resolves) {
    try {
      return `${name}=${await resolveValue(ctl, target, from)}`;
    } catch (error) {
      failures.push(`error retrieving reference for ${name}: ${errorText(error)}`);
    }
  }
  return `# ${name} from ${describeSource(from)}`;
}

/** @throws CtlError for what only a running container knows; StatusError when the source is not there */
async function resolveValue(ctl: Ctl, { object, namespace }: LiveTarget, from: JsonObject): Promise<string> {
  const value =
    from.fieldRef === undefined
      ? await keyValue(ctl, from, namespace)
      : fieldValue(asJsonObject(object), asText(asJsonObject(from.fieldRef).fieldPath));
  if (value === undefined) throw new CtlError(`unsupported: ${describeSource(from)}`);
  return value;
}

async function keyValue(ctl: Ctl, from: JsonObject, namespace: string): Promise<string | undefined> {
  const isSecret = from.secretKeyRef !== undefined;
  if (!isSecret && from.configMapKeyRef === undefined) return undefined;
  const { name, key } = asJsonObject(isSecret ? from.secretKeyRef : from.configMapKeyRef);
  const data = await readData(ctl, {
    resource: isSecret ? 'secrets' : 'configmaps',
    namespace,
    name: asText(name),
  });
  const found = data[asText(key)];
  if (found === undefined)
    throw new CtlError(`key ${key} not found in ${isSecret ? 'secret' : 'config map'} ${name}`);
  return found;
}

/** What a config map or secret holds, as text. */
export async function readData(
  ctl: Ctl,
  {
    resource,
    namespace,
    name,
  }: { readonly resource: string; readonly namespace: string; readonly name: string },
): Promise<Readonly<Record<string, string>>> {
  const client = await ctl.client();
  const path = resourcePath({ group: '', version: 'v1', resource, namespace, name });
  const { data } = await client.json<{ data?: unknown }>({ method: 'GET', path, signal: ctl.io.signal });
  const decode = (text: string) =>
    resource === 'secrets' ? Buffer.from(text, 'base64').toString('utf8') : text;
  return Object.fromEntries(
    Object.entries(asJsonObject(data)).map(([key, text]) => [key, decode(asText(text))]),
  );
}
