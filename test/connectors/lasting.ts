/** Hours of a job that a scene may end itself. Even a simulated job then runs for ten seconds. */
export const lasting = 0.5;
