import { createContext, useContext } from "react"
import type { Member } from "../../Domain/Member.ts"
import type { SignInMethod } from "../../Domain/Session.ts"

interface SignedIn {
  readonly member: Member
  /** The ways in which the member can sign in. */
  readonly methods: ReadonlyArray<SignInMethod>
  readonly isAdmin: boolean
  /** The service did not answer the latest request. What is shown may be old. */
  readonly isOffline: boolean
  readonly signOut: () => void
}

const SessionContext = createContext<SignedIn | undefined>(undefined)

export const SessionProvider = SessionContext.Provider

/** The signed-in member. Areas are shown to signed-in members only. */
export const useSession = (): SignedIn => {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error("There is no session")
  return session
}
