import { X509Certificate } from 'node:crypto';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { errorText } from '../../base/index.ts';

/** Certificates of the connections to the members, as PEM. */
export interface EtcdTls {
  /** Authorities of the members' certificates; those of the system when left out. */
  readonly caPem?: string | undefined;
  readonly certificatePem?: string | undefined;
  readonly keyPem?: string | undefined;
}

/** @throws RangeError that says which of the certificates cannot be used. */
export function makeTlsCredentials({ caPem, certificatePem, keyPem }: EtcdTls): ChannelCredentials {
  if ((certificatePem === undefined) !== (keyPem === undefined)) {
    throw new RangeError('etcd: expected a client certificate and its key, or neither of them');
  }
  // The runtime passes over what is no certificate, and would then trust nobody.
  if (caPem !== undefined) read('authorities', () => new X509Certificate(caPem));
  return read('client certificate and key', () =>
    credentials.createSsl(toBytes(caPem), toBytes(keyPem), toBytes(certificatePem)),
  );
}

function toBytes(pem: string | undefined): Buffer | null {
  return pem === undefined ? null : Buffer.from(pem);
}

function read<Result>(what: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const reason = errorText(cause);
    throw new RangeError(`etcd: ${what} cannot be used: ${reason}`, { cause });
  }
}
