import { resourcePath } from '../../client/rest/index.ts';
import { CtlError } from '../errors.ts';
import { defineVerb } from '../verb.ts';
import { takeName } from './generate.ts';

/** `ctl create token`, which later releases have. */
export const tokenVerb = defineVerb({
  program: {
    name: 'ctl create token',
    summary: 'Ask for a token of a service account',
    usage: 'NAME [flags]',
    options: [
      { name: 'audience', type: 'stringArray', section: 'Token', help: 'Who is to take it; repeatable.' },
      {
        name: 'duration',
        type: 'duration',
        default: '0s',
        section: 'Token',
        help: 'How long it counts, at least ten minutes. By default as long as the server says.',
      },
      {
        name: 'bound-object-kind',
        type: 'string',
        section: 'Token',
        allowed: ['Pod', 'Secret'],
        help: 'The token ends with an object of this kind.',
      },
      { name: 'bound-object-name', type: 'string', section: 'Token', help: 'Name of that object.' },
      { name: 'bound-object-uid', type: 'string', section: 'Token', help: 'Uid of that object.' },
    ],
    examples: [{ command: 'ctl create token default --duration=1h', does: 'print a token for an hour' }],
  },
  async run(ctl, { options, args }) {
    const name = takeName(args);
    const { boundObjectKind: kind, boundObjectName, boundObjectUid: uid, durationMs } = options;
    if (durationMs < 0) throw new CtlError('--duration must be greater than or equal to 0');
    if (kind === undefined && (boundObjectName ?? uid) !== undefined)
      throw new CtlError(
        '--bound-object-name and --bound-object-uid can only be set with --bound-object-kind',
      );
    if (kind !== undefined && !boundObjectName)
      throw new CtlError('--bound-object-name must be set with --bound-object-kind');
    const group = ctl.dialect.group('authentication');
    const { namespace } = await ctl.context();
    const client = await ctl.client();
    const { status } = await client.json<{ readonly status: { readonly token: string } }>({
      method: 'POST',
      path: resourcePath({
        ...{ group: '', version: 'v1', resource: 'serviceaccounts', namespace },
        ...{ name, subresource: 'token' },
      }),
      body: {
        apiVersion: `${group}/v1`,
        kind: 'TokenRequest',
        spec: {
          audiences: options.audience,
          ...(durationMs === 0 ? {} : { expirationSeconds: Math.ceil(durationMs / 1000) }),
          ...(kind === undefined
            ? {}
            : { boundObjectRef: { apiVersion: 'v1', kind, name: boundObjectName, uid } }),
        },
      },
      signal: ctl.io.signal,
    });
    ctl.io.stdout.write(`${status.token}\n`);
  },
});
