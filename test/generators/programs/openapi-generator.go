// Submits a job with a client of openapi-generator, and finds it in the list.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	slipway "example.org/slipway"
)

func main() {
	configuration := slipway.NewConfiguration()
	configuration.Servers = slipway.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	jobs := slipway.NewAPIClient(configuration).JobsAPI
	ctx := context.WithValue(context.Background(), slipway.ContextAccessToken, os.Getenv("TOKEN"))
	zip, err := os.Open(os.Getenv("ZIP"))
	check(err)
	answer, _, err := jobs.SubmitJob(ctx, "hpc_one").
		Payload(os.Getenv("PAYLOAD")).
		ContentDisposition("attachment; filename=job.zip").
		IdempotencyKey("go").
		Body(zip).
		Execute()
	check(err)
	list, _, err := jobs.ListJobs(ctx).Execute()
	check(err)
	for _, each := range list {
		if each.JobId == answer.Job.JobId {
			fmt.Println(each.JobId)
			return
		}
	}
	log.Fatal("the job is not in the list")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
