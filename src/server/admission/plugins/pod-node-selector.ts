import type { Pod } from '../../../apis/types/core-v1.ts';
import { forbidden, internalError, otherFailure } from '../../../machinery/errors/index.ts';
import { createLabelRequirement, SelectorError } from '../../../machinery/selectors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';

/** What the configuration calls the selector for namespaces without the annotation. */
const defaultEntry = 'clusterDefaultNodeSelector';

/**
 * PodNodeSelector: pods of a namespace run on the nodes that its annotation `scheduler.alpha.orch.io/node-selector`
 * selects, and select by no other labels than the configuration has for the namespace. Source: "Using Admission
 * Controllers"; `plugin/pkg/admission/podnodeselector`.
 */
export function podNodeSelector({ dialect, read, options }: PluginSources): AdmissionPlugin {
  const annotation = dialect.domain('scheduler.alpha', 'node-selector');
  const { nodeSelectors } = options;
  const selectorOf = async (namespace: string): Promise<Map<string, string>> => {
    const found = await read.currentNamespace(namespace);
    if (found === undefined) throw internalError(`namespace ${namespace} does not exist`);
    const own = found.metadata.annotations?.[annotation];
    return parseSelector(own ?? nodeSelectors?.get(defaultEntry) ?? '');
  };
  const check = async (attributes: AdmissionAttributes, settle: (pod: Pod, own: Labels) => void) => {
    const pod = podOf(attributes);
    if (pod === undefined) return;
    const selector = await selectorOf(attributes.namespace);
    const own = pod.spec.nodeSelector ?? {};
    const refuse = (text: string) =>
      forbidden({ group: '', resource: 'pods' }, pod.metadata.name ?? '', text);
    if ([...selector].some(([label, value]) => Object.hasOwn(own, label) && own[label] !== value)) {
      throw refuse('pod node label selector conflicts with its namespace node label selector');
    }
    const merged = { ...Object.fromEntries(selector), ...own };
    const whitelist = parseSelector(nodeSelectors?.get(attributes.namespace) ?? '');
    const isListed = ([label, value]: readonly [string, string]) => whitelist.get(label) === value;
    if (selector.size > 0) settle(pod, merged);
    if (whitelist.size > 0 && !Object.entries(merged).every(isListed)) {
      throw refuse('pod node label selector labels conflict with its namespace whitelist');
    }
  };
  return {
    name: 'PodNodeSelector',
    handles: onOperations('CREATE'),
    admit: (attributes) =>
      check(attributes, (pod, labels) => {
        pod.spec.nodeSelector = labels;
      }),
    validate: (attributes) => check(attributes, () => {}),
  };
}

type Labels = Record<string, string>;

/** An error without a reason, as plugins of release 1.20 return it. */
const failure = (message: string) => otherFailure(500, '', message);

/** `a=b,c=d`. @throws StatusError 500 for another text, as release 1.20 does. */
function parseSelector(text: string): Map<string, string> {
  if (text === '') return new Map();
  return new Map(
    text.split(',').map((part) => {
      const [label = '', value = '', ...more] = part.split('=');
      if (!part.includes('=') || more.length > 0) {
        throw failure(`invalid selector: [${part.split('=').join(' ')}]`);
      }
      return checkLabel(label.trim(), value.trim());
    }),
  );
}

function checkLabel(label: string, value: string): readonly [string, string] {
  try {
    createLabelRequirement(label, '=', [value]);
  } catch (error) {
    if (error instanceof SelectorError) throw failure(error.message);
    throw error;
  }
  return [label, value];
}
