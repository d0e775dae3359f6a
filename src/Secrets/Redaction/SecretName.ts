/** Matches the ends of names that hold a secret. */
const secretName = new RegExp(
  `(?:${
    [
      "authorization",
      "tokens?",
      "secrets?",
      "password",
      "passwd",
      "passphrase",
      "cookies?",
      "credentials?",
      "assertion",
      "jwt",
      "(?:api|private|secret|access|encryption|signing)keys?",
      "authenticationcode",
      "dnsverificationcode",
      "codeverifier"
    ].join("|")
  })\\d*$`
)

const ordinaryName = /(?:page|sync)token$/

export const namesSecret = (name: string): boolean => {
  const letters = name.replace(/[^a-z0-9]+/gi, "").toLowerCase()
  return secretName.test(letters) && !ordinaryName.test(letters)
}

/** Column headings of spreadsheets have spaces ("API key"), API fields do not. */
export const isHeading = (name: string): boolean => /\S\s+\S/.test(name)

/** A cell below a secret heading is a secret if it is one word of 16 or more characters, with letters and digits. */
export const looksRandom = (value: string): boolean => /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{16,}$/i.test(value)
