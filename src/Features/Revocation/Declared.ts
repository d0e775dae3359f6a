export const revocationActions = {
  "revocation.started": "revoked many connections"
}
