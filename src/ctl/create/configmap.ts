import { isUtf8 } from 'node:buffer';
import { defineVerb } from '../verb.ts';
import { hashConfigMap } from './content-hash.ts';
import { appendHashOption, createGenerated, generatorOptions, takeName } from './generate.ts';
import { keyValueOptions, readKeyValues } from './key-values.ts';

/** `ctl create configmap`. */
export const configMapVerb = defineVerb({
  program: {
    name: 'ctl create configmap',
    summary: 'Create a config map from literals or files',
    usage: 'NAME [--from-literal=KEY=VALUE...] [--from-file=FILE...] [flags]',
    options: [...keyValueOptions, appendHashOption, ...generatorOptions],
  },
  run(ctl, { options, args }) {
    const name = takeName(args);
    const values = readKeyValues({
      literals: options.fromLiteral,
      files: options.fromFile,
      envFile: options.fromEnvFile,
      owner: { kind: 'ConfigMap', name },
      env: ctl.io.env,
    });
    const texts = [...values]
      .filter(([, value]) => isUtf8(value))
      .map(([key, value]) => [key, value.toString('utf8')]);
    const binaries = [...values]
      .filter(([, value]) => !isUtf8(value))
      .map(([key, value]) => [key, value.toString('base64')]);
    const content = {
      data: texts.length > 0 ? Object.fromEntries(texts) : undefined,
      binaryData: binaries.length > 0 ? Object.fromEntries(binaries) : undefined,
    };
    const suffix = options.appendHash ? `-${hashConfigMap(name, content)}` : '';
    return createGenerated(ctl, options, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${name}${suffix}` },
      ...content,
    });
  },
});
