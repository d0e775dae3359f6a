import { ShieldCheck } from "lucide-react"
import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyPart, lazyRoute } from "../../../Dashboard/Frame/LazyPage.tsx"
import { Waiting } from "./Waiting.tsx"

export const approvalPages: FeaturePages = {
  feature: "approvals",
  areas: [{ path: "/approvals", title: "Approvals", icon: ShieldCheck, mark: Waiting, place: 22 }],
  refusals: {
    approval_required: ["attention", "Held for approval"],
    approval_denied: ["off", "Denied"]
  },
  aboutCall: lazyPart(async () => (await import("./HeldCall.tsx")).HeldCall),
  routes: [
    lazyRoute("/approvals", async () => (await import("./Approvals.tsx")).Approvals),
    lazyRoute("/approvals/:id", async () => (await import("./ApprovalPage.tsx")).ApprovalPage)
  ]
}
