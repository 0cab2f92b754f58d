import { isJsonObject } from '../../base/index.ts';
import type { ImageChange } from './kustomization.ts';
import type { Resource } from './resource.ts';

const containerLists = ['containers', 'initContainers'];

/** Changes the images of all containers, at whatever depth of an object they stand. */
export function replaceImages(resources: readonly Resource[], changes: readonly ImageChange[]): void {
  if (changes.length === 0) return;
  for (const { object } of resources) inValue(object, changes);
}

function inValue(value: unknown, changes: readonly ImageChange[]): void {
  if (Array.isArray(value)) {
    for (const item of value) inValue(item, changes);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const [key, child] of Object.entries(value)) {
    if (containerLists.includes(key) && Array.isArray(child)) {
      for (const container of child) {
        if (isJsonObject(container) && typeof container.image === 'string') {
          container.image = changeImage(container.image, changes);
        }
      }
    } else inValue(child, changes);
  }
}

/** The image after the first change that is about its name. */
function changeImage(image: string, changes: readonly ImageChange[]): string {
  const [name, tag] = splitImage(image);
  const change = changes.find((candidate) => candidate.name === name);
  if (change === undefined) return image;
  const ending =
    change.digest !== '' ? `@${change.digest}` : change.newTag !== '' ? `:${change.newTag}` : tag;
  return `${change.newName || name}${ending}`;
}

/** Name, and tag or digest with the sign before it. A colon before a slash belongs to the registry's port. */
function splitImage(image: string): readonly [name: string, tag: string] {
  const digest = image.indexOf('@');
  const colon = image.indexOf(':', image.lastIndexOf('/', digest < 0 ? undefined : digest) + 1);
  const end = digest >= 0 && (colon < 0 || digest < colon) ? digest : colon;
  return end < 0 ? [image, ''] : [image.slice(0, end), image.slice(end)];
}
