export const signInActions = {
  "member.link_created": "made a sign-in link for",
  "member.link_used": "used the sign-in link of",
  "member.link_refused": "was refused with a sign-in link of",
  "member.password_set": "set the password of",
  "member.oidc_bound": "added the organization's account of",
  "member.oidc_unbound": "removed the organization's account of",
  "member.sign_in_refused": "was refused to sign in as",
  "passkey.added": "added a passkey",
  "passkey.removed": "removed a passkey",
  "session.started": "signed in",
  "session.ended": "ended a session"
}
