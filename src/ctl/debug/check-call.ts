import { CtlError } from '../errors.ts';
import { isPullPolicy } from '../options/new-container.ts';
import { isImageName } from '../run-pod/make-pod.ts';
import type { VerbCall } from '../verb.ts';
import type { DebugOptions } from './options.ts';

/**
 * What release 1.20 checks before anything is read, in its order and its words.
 *
 * @throws CtlError for the first thing that is wrong
 */
export function checkCall(
  { options }: VerbCall<DebugOptions>,
  names: readonly string[],
  words: readonly string[],
): void {
  const { image = '', copyTo = '', setImage, container = '', imagePullPolicy = '', target = '' } = options;
  const isCopy = copyTo !== '';
  const hasImages = Object.keys(setImage).length > 0;
  const rules: readonly (readonly [isWrong: boolean, text: string])[] = [
    [
      isCopy && image === '' && !hasImages && words.length === 0,
      'you must specify --image, --set-image or command arguments.',
    ],
    [
      isCopy && words.length > 0 && container === '' && image === '',
      'you must specify an existing container or a new image when specifying args.',
    ],
    [!isCopy && options.replace, '--replace may only be used with --copy-to.'],
    [!isCopy && options.sameNode, '--same-node may only be used with --copy-to.'],
    [!isCopy && hasImages, '--set-image may only be used with --copy-to.'],
    [!isCopy && image === '', 'you must specify --image when not using --copy-to.'],
    [
      image !== '' && !isImageName(image),
      `invalid image name ${JSON.stringify(image)}: invalid reference format`,
    ],
    [names.length === 0, 'NAME is required for debug'],
    [!isPullPolicy(imagePullPolicy), `invalid image pull policy: ${imagePullPolicy}`],
    ...Object.entries(setImage).map(
      ([of, name]) =>
        [
          !isImageName(name),
          `invalid image name ${JSON.stringify(name)} for container ${JSON.stringify(of)}: invalid reference format`,
        ] as const,
    ),
    [target !== '' && isCopy, '--target is incompatible with --copy-to. Use --share-processes instead.'],
    [options.tty && !options.stdin, '-i/--stdin is required for containers with -t/--tty=true'],
  ];
  const broken = rules.find(([isWrong]) => isWrong);
  if (broken !== undefined) throw new CtlError(broken[1]);
}
