import { createContext, useContext } from "react"
import type { Member } from "../../Domain/Member.ts"
import type { SignInMethod } from "../../Domain/Session.ts"

interface SignedIn {
  readonly member: Member
  readonly methods: ReadonlyArray<SignInMethod>
  readonly isAdmin: boolean
  /** The service did not respond to the latest request, so the page may be outdated. */
  readonly isOffline: boolean
  readonly signOut: () => void
}

const SessionContext = createContext<SignedIn | undefined>(undefined)

export const SessionProvider = SessionContext.Provider

export const useSession = (): SignedIn => {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error("There is no session")
  return session
}
