const maxLength = 65_536

const suspicious = /_token"|secret"|password"|api_key"|authorization"|Bearer |ya29\.|1\/\/|oa_|AIza|GOCSPX-|eyJ/

const secrets = [
  /("(?:[a-z_]+_token|client_secret|password|api_key|authorization)"\s*:\s*")[^"]*/g,
  /(\bBearer )\S{8,}/g,
  /(\b)(?:ya29\.[\w.-]+|1\/\/[\w-]{6,}|oa_\w{16,}|AIza[\w-]{20,}|GOCSPX-[\w-]+|eyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*)/g
]

const removeSecrets = (text: string): string =>
  suspicious.test(text) ? secrets.reduce((rest, secret) => rest.replace(secret, "$1[redacted]"), text) : text

export const redact = (text: string): string =>
  text.length <= maxLength
    ? removeSecrets(text)
    : JSON.stringify({ truncated: true, preview: removeSecrets(text.slice(0, maxLength)) })
