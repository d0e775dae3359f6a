/** A member who has signed in before, from the same address. */
export interface SigningIn {
  readonly address: string
  readonly email: string
  readonly password: string
}

/** Opens an invitation and sets a password. The service must trust this machine as a proxy. */
export const acceptInvitation = async (url: string, email: string, link: string): Promise<SigningIn> => {
  const member = { address: "192.0.2.7", email, password: "three quiet harbours" }
  const send = async (method: string, path: string, body: object, cookie = "") => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        "sec-fetch-site": "same-origin",
        "x-forwarded-for": member.address,
        cookie
      },
      body: JSON.stringify(body)
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.headers.getSetCookie()[0]?.split(";")[0]
  }
  const cookie = await send("POST", "/auth/link", { token: new URL(link).hash.slice(1) })
  await send("PUT", "/auth/password", { password: member.password }, cookie)
  return member
}
