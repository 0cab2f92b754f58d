import type { Pod } from '../../../apis/types/core-v1.ts';
import { forbidden, otherFailure } from '../../../machinery/errors/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { podOf } from '../pod-attributes.ts';

/**
 * PodNodeSelector: pods of a namespace run on the nodes that its annotation `scheduler.alpha.orch.io/node-selector`
 * selects. Source: "Using Admission Controllers"; `plugin/pkg/admission/podnodeselector`.
 */
export function podNodeSelector({ dialect, read }: PluginSources): AdmissionPlugin {
  const annotation = dialect.domain('scheduler.alpha', 'node-selector');
  const selectorOf = async (namespace: string): Promise<Map<string, string>> => {
    const { annotations } = (await read.currentNamespace(namespace))?.metadata ?? {};
    return parseSelector(annotations?.[annotation] ?? '');
  };
  const check = async (attributes: AdmissionAttributes, settle: (pod: Pod, own: Labels) => void) => {
    const pod = podOf(attributes);
    if (pod === undefined) return;
    const selector = await selectorOf(attributes.namespace);
    const own = pod.spec.nodeSelector ?? {};
    if ([...selector].some(([label, value]) => Object.hasOwn(own, label) && own[label] !== value)) {
      const text = 'pod node label selector conflicts with its namespace node label selector';
      throw forbidden({ group: '', resource: 'pods' }, pod.metadata.name ?? '', text);
    }
    if (selector.size > 0) settle(pod, { ...Object.fromEntries(selector), ...own });
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

/** `a=b,c=d`. @throws StatusError 500 for another text, as release 1.20 does. */
function parseSelector(text: string): Map<string, string> {
  if (text === '') return new Map();
  return new Map(
    text.split(',').map((part) => {
      const [label = '', value = '', ...more] = part.split('=');
      if (!part.includes('=') || more.length > 0) {
        throw otherFailure(500, '', `invalid selector: [${part.split('=').join(' ')}]`);
      }
      return [label.trim(), value.trim()];
    }),
  );
}
