import { asJsonObject, asText, type JsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { recordOption } from '../options/change.ts';
import { parseQuantities } from '../options/label-spec.ts';
import { hasFiles, selectorOption } from '../options/shared.ts';
import { defineVerb } from '../verb.ts';
import { editContainers, editPodSpec, matchesWildcard } from './pod-spec.ts';
import { missingObjects, runSet, setOptions } from './run-set.ts';

/** `ctl set resources`. */
export const resourcesVerb = defineVerb({
  program: {
    name: 'ctl set resources',
    summary: 'Change what containers request and may use',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) [--limits=LIMITS] [--requests=REQUESTS] [flags]',
    options: [
      {
        name: 'containers',
        short: 'c',
        type: 'string',
        default: '*',
        section: 'Changes',
        help: 'Which containers; * stands for any characters.',
      },
      {
        name: 'limits',
        type: 'string',
        valueName: 'RESOURCE=QUANTITY,...',
        section: 'Changes',
        help: 'How much they may use at most.',
      },
      {
        name: 'requests',
        type: 'string',
        valueName: 'RESOURCE=QUANTITY,...',
        section: 'Changes',
        help: 'How much is kept for them.',
      },
      ...setOptions,
      selectorOption,
      recordOption,
    ],
    examples: [
      {
        command: 'ctl set resources deployment web -c web --limits=cpu=200m,memory=512Mi',
        does: 'bound one container',
      },
    ],
  },
  async run(ctl, { options, args }) {
    if (args.length === 0 && !hasFiles(options)) throw new CtlError(missingObjects);
    if (!options.limits && !options.requests) {
      throw new CtlError(
        'you must specify an update to requests or limits (in the form of --requests/--limits)',
      );
    }
    const change = {
      containers: options.containers,
      limits: options.limits ? parseQuantities(options.limits) : {},
      requests: options.requests ? parseQuantities(options.requests) : {},
    };
    await runSet(ctl, {
      options,
      resources: args,
      labelSelector: options.selector,
      operation: 'resource requirements updated',
      failure: 'failed to patch resources update to pod template',
      edit(object) {
        let isFound = false;
        const changed = editPodSpec(object, (spec) => {
          const found = setResources(spec, change);
          isFound = found.isFound;
          return found.spec;
        });
        const missing = new CtlError(`error: unable to find container named ${options.containers}`);
        return { object: changed, problems: isFound ? [] : [missing] };
      },
    });
  },
});

/** What to set, in which containers. */
export interface ResourcesChange {
  /** A name, in which `*` stands for any characters. */
  readonly containers: string;
  readonly limits: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, string>>;
}

/** The pod spec with these limits and requests beside those that are there, and whether a container was meant. */
export function setResources(
  spec: JsonObject,
  { containers, limits, requests }: ResourcesChange,
): { readonly spec: JsonObject; readonly isFound: boolean } {
  let isFound = false;
  const changed = editContainers(spec, 'containers', (container) => {
    if (!matchesWildcard(containers, asText(container.name))) return container;
    isFound = true;
    const resources = asJsonObject(container.resources);
    const join = (field: 'limits' | 'requests', added: Readonly<Record<string, string>>) =>
      Object.keys(added).length === 0 ? {} : { [field]: { ...asJsonObject(resources[field]), ...added } };
    return {
      ...container,
      resources: { ...resources, ...join('limits', limits), ...join('requests', requests) },
    };
  });
  return { spec: changed, isFound };
}
