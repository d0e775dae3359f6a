import type { FeaturePages } from "../../../Dashboard/Frame/FeaturePages.ts"
import { lazyPage, lazyPart } from "../../../Dashboard/Frame/LazyPage.tsx"
import { Waiting } from "./Waiting.tsx"

export const approvalPages: FeaturePages = {
  feature: "approvals",
  areas: [{ path: "/approvals", title: "Approvals", icon: "approvals", mark: Waiting, place: 22 }],
  refusals: {
    approval_required: ["attention", "Held for approval"],
    approval_denied: ["off", "Denied"]
  },
  aboutCall: lazyPart(async () => (await import("./HeldCall.tsx")).HeldCall),
  routes: [
    { path: "/approvals", page: lazyPage("/approvals", async () => (await import("./Approvals.tsx")).Approvals) },
    {
      path: "/approvals/:id",
      page: lazyPage("/approvals/", async () => (await import("./ApprovalPage.tsx")).ApprovalPage)
    }
  ]
}
