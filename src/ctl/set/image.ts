import { asJsonObject, asList, asText, type JsonObject } from '../../base/index.ts';
import { CtlError } from '../errors.ts';
import { recordOption } from '../options/change.ts';
import { hasFiles, selectorOption } from '../options/shared.ts';
import { defineVerb } from '../verb.ts';
import { editContainers, editPodSpec } from './pod-spec.ts';
import { missingObjects, runSet, setOptions, splitPairs } from './run-set.ts';

/** `ctl set image`. */
export const imageVerb = defineVerb({
  program: {
    name: 'ctl set image',
    summary: 'Change images of containers',
    usage: '(-f FILE | TYPE NAME | TYPE/NAME) CONTAINER=IMAGE... [flags]',
    options: [...setOptions, selectorOption, recordOption],
    examples: [
      { command: 'ctl set image deployment/web web=web:2', does: 'run another image in one container' },
      { command: 'ctl set image daemonset logs "*=logs:2"', does: 'in all of them' },
    ],
  },
  async run(ctl, { options, args }) {
    const { resources, pairs } = splitPairs(args, 'image');
    if (resources.length === 0 && !hasFiles(options)) {
      throw new CtlError(missingObjects);
    }
    const images = parseImages(pairs);
    await runSet(ctl, {
      options,
      resources,
      labelSelector: options.selector,
      operation: 'image updated',
      failure: 'failed to patch image update to pod template:',
      edit(object) {
        const problems: CtlError[] = [];
        const changed = editPodSpec(object, (spec) => {
          const found = setImages(spec, images);
          for (const name of found.missing) {
            problems.push(new CtlError(`error: unable to find container named ${JSON.stringify(name)}`));
          }
          return found.spec;
        });
        return { object: changed, problems };
      },
    });
  },
});

/** Images by container; `*` is any, and goes with no other. @throws CtlError for none */
export function parseImages(pairs: readonly string[]): ReadonlyMap<string, string> {
  const images = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new CtlError(`invalid image format: ${pair}`);
    images.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  if (images.size === 0) throw new CtlError('at least one image update is required');
  if (images.size > 1 && images.has('*')) {
    throw new CtlError(
      'all containers are already specified by *, but saw more than one container_name=container_image pairs',
    );
  }
  return images;
}

/** The pod spec with other images, and the names that no container has. */
export function setImages(
  spec: JsonObject,
  images: ReadonlyMap<string, string>,
): { readonly spec: JsonObject; readonly missing: readonly string[] } {
  const names = new Set(
    [...asList(spec.initContainers), ...asList(spec.containers)].map((one) => asJsonObject(one).name),
  );
  const missing = [...images.keys()].filter((name) => name !== '*' && !names.has(name));
  const edit = (container: JsonObject) => {
    const image = images.get('*') ?? images.get(asText(container.name));
    return image === undefined ? container : { ...container, image };
  };
  return { spec: editContainers(editContainers(spec, 'initContainers', edit), 'containers', edit), missing };
}
