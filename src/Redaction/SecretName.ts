/** The ends of names: those of contract section 8, and those of providers. */
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

/** Headings of spreadsheet columns have spaces ("API key"), names of API fields do not. */
export const isHeading = (name: string): boolean => /\S\s+\S/.test(name)

/** For a cell below a heading that names a secret: one word of 16 or more characters with letters and digits. */
export const looksRandom = (value: string): boolean => /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{16,}$/i.test(value)
