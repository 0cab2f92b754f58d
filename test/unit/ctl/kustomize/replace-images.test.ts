import { expect } from 'chai';
import fc from 'fast-check';
import type { ImageChange } from '../../../../src/ctl/kustomize/kustomization.ts';
import { replaceImages } from '../../../../src/ctl/kustomize/replace-images.ts';
import { Resource } from '../../../../src/ctl/kustomize/resource.ts';

const change = (name: string, parts: Partial<ImageChange> = {}): ImageChange => ({
  ...{ name, newName: '', newTag: '', digest: '' },
  ...parts,
});

/** An object after the changes. */
function replaceIn(spec: unknown, changes: readonly ImageChange[]): unknown {
  const resource = new Resource({ kind: 'Any', apiVersion: 'v1', metadata: { name: 'a' }, spec });
  replaceImages([resource], changes);
  return resource.object.spec;
}

/** The image of a container after the changes. */
function imageAfter(image: string, ...changes: ImageChange[]): unknown {
  const spec = replaceIn({ containers: [{ name: 'c', image }] }, changes) as {
    containers: [{ image: unknown }]; // what was given
  };
  return spec.containers[0].image;
}

const sha = `sha256:${'0'.repeat(64)}`;

describe('replaceImages', () => {
  const cases: readonly [string, string, ImageChange, string][] = [
    ['gives a tag to an image without one', 'nginx', change('nginx', { newTag: 'v2' }), 'nginx:v2'],
    ['changes a tag', 'nginx:v1', change('nginx', { newTag: 'v2' }), 'nginx:v2'],
    ['changes a name and keeps the tag', 'nginx:v1', change('nginx', { newName: 'web' }), 'web:v1'],
    ['changes a name without a tag', 'nginx', change('nginx', { newName: 'web' }), 'web'],
    ['changes name and tag', 'nginx:v1', change('nginx', { newName: 'my/web', newTag: '2' }), 'my/web:2'],
    ['puts a digest in the place of the tag', 'nginx:v1', change('nginx', { digest: sha }), `nginx@${sha}`],
    [
      'takes the digest where both are given',
      'nginx',
      change('nginx', { newTag: 'v2', digest: sha }),
      `nginx@${sha}`,
    ],
    ['puts a tag in the place of a digest', `nginx@${sha}`, change('nginx', { newTag: 'v2' }), 'nginx:v2'],
    ['keeps a digest under another name', `nginx@${sha}`, change('nginx', { newName: 'web' }), `web@${sha}`],
    ['changes nothing when nothing is to change', 'nginx:v1', change('nginx'), 'nginx:v1'],
    [
      'knows the port of a registry from a tag',
      'reg:5000/a',
      change('reg:5000/a', { newTag: 'v2' }),
      'reg:5000/a:v2',
    ],
    ['knows a tag behind a port', 'reg:5000/a:v1', change('reg:5000/a', { newTag: 'v2' }), 'reg:5000/a:v2'],
    [
      'knows a digest behind a port',
      `reg:5000/a@${sha}`,
      change('reg:5000/a', { newTag: 'v2' }),
      'reg:5000/a:v2',
    ],
    ['leaves other images', 'nginx:v1', change('ngin', { newTag: 'v2' }), 'nginx:v1'],
    [
      'leaves images of which the name is the beginning',
      'nginx-plus:v1',
      change('nginx', { newTag: 'v2' }),
      'nginx-plus:v1',
    ],
    [
      'leaves images of the name in other registries',
      'reg/nginx:v1',
      change('nginx', { newTag: 'v2' }),
      'reg/nginx:v1',
    ],
    [
      'leaves a registry that is called like the image',
      'nginx:5000/a',
      change('nginx', { newTag: 'v2' }),
      'nginx:5000/a',
    ],
    ['does not take a name for a pattern', 'nginx', change('n.*x', { newTag: 'v2' }), 'nginx'],
    ['leaves an empty image', '', change('nginx', { newTag: 'v2' }), ''],
  ];
  for (const [title, image, by, expected] of cases)
    it(title, () => expect(imageAfter(image, by)).to.equal(expected));

  it('takes the first change for a name and no second one', () => {
    const first = change('a', { newName: 'b' });
    expect(imageAfter('a:1', first, change('a', { newTag: '2' }), change('b', { newTag: '3' }))).to.equal(
      'b:1',
    );
  });

  it('changes the containers of any object, at any depth, and init containers too', () => {
    const pod = (image: string) => ({
      initContainers: [{ name: 'i', image }],
      containers: [
        { name: 'c', image },
        { name: 'other', image: 'busybox' },
      ],
    });
    const spec = (image: string) => ({
      jobTemplate: { spec: { template: { spec: pod(image) } } },
      list: [{ deep: pod(image) }, [pod(image)]],
    });
    expect(replaceIn(spec('nginx:v1'), [change('nginx', { newTag: 'v2' })])).to.deep.equal(spec('nginx:v2'));
  });

  it('changes nothing but images of containers', () => {
    const spec = {
      image: 'nginx',
      containers: [{ name: 'nginx', args: ['nginx'], env: [{ name: 'image', value: 'nginx' }] }],
      sidecars: [{ image: 'nginx' }],
      volumes: [{ rbd: { image: 'nginx' } }],
    };
    expect(replaceIn(structuredClone(spec), [change('nginx', { newTag: 'v2' })])).to.deep.equal(spec);
  });

  it('leaves what has the name of a list of containers and is none', () => {
    for (const containers of [
      'nginx',
      null,
      7,
      [null, 'nginx', 7, ['nginx'], { image: 7 }, { image: null }],
    ]) {
      const spec = { containers };
      expect(replaceIn(structuredClone(spec), [change('nginx', { newTag: 'v2' })])).to.deep.equal(spec);
    }
  });

  it('changes all resources, and none without changes', () => {
    const make = () =>
      ['a', 'b'].map(
        (name) =>
          new Resource({
            kind: 'Pod',
            apiVersion: 'v1',
            metadata: { name },
            spec: { containers: [{ image: 'x' }] },
          }),
      );
    const imagesOf = (resources: readonly Resource[]) =>
      resources.map(({ object }) => JSON.stringify(object.spec));
    const resources = make();
    replaceImages(resources, [change('x', { newTag: '1' })]);
    expect(imagesOf(resources)).to.deep.equal(Array(2).fill('{"containers":[{"image":"x:1"}]}'));
    const untouched = make();
    replaceImages(untouched, []);
    expect(imagesOf(untouched)).to.deep.equal(imagesOf(make()));
  });

  it('gives any image its new tag, whatever registry, name and ending it has', () => {
    const word = fc.stringMatching(/^[a-z0-9]([-a-z0-9_.]{0,8}[a-z0-9])?$/);
    const registry = fc.oneof(
      fc.constant(''),
      word,
      fc.tuple(word, fc.nat(65_535)).map(([host, port]) => `${host}:${port}`),
    );
    const ending = fc.oneof(
      fc.constant(''),
      word.map((tag) => `:${tag}`),
      fc.constant(`@${sha}`),
    );
    const path = fc.array(word, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(registry, path, ending, word, (host, parts, end, newTag) => {
        const name = [...(host === '' ? [] : [host]), ...parts].join('/');
        expect(imageAfter(name + end, change(name, { newTag }))).to.equal(`${name}:${newTag}`);
        expect(imageAfter(name + end, change(name, { newName: 'b' }))).to.equal(`b${end}`);
        expect(imageAfter(name + end, change(`${name}x`, { newTag }))).to.equal(name + end);
      }),
    );
  });
});
