// Tells which changes of legacy parameters the modules of SDK 0.46 take: reads lines of {"subspace", "key", "value"}, the value a text of
// JSON, and answers each with {"fault"}, "" for none.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/cosmos/cosmos-sdk/codec"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	storetypes "github.com/cosmos/cosmos-sdk/store/types"
	"github.com/cosmos/cosmos-sdk/testutil"
	auth "github.com/cosmos/cosmos-sdk/x/auth/types"
	bank "github.com/cosmos/cosmos-sdk/x/bank/types"
	crisis "github.com/cosmos/cosmos-sdk/x/crisis/types"
	distribution "github.com/cosmos/cosmos-sdk/x/distribution/types"
	gov "github.com/cosmos/cosmos-sdk/x/gov/types/v1"
	mint "github.com/cosmos/cosmos-sdk/x/mint/types"
	params "github.com/cosmos/cosmos-sdk/x/params/types"
	slashing "github.com/cosmos/cosmos-sdk/x/slashing/types"
	staking "github.com/cosmos/cosmos-sdk/x/staking/types"
)

var tables = map[string]params.KeyTable{
	"auth":         auth.ParamKeyTable(),
	"bank":         bank.ParamKeyTable(),
	"baseapp":      params.ConsensusParamsKeyTable(),
	"crisis":       crisis.ParamKeyTable(),
	"distribution": distribution.ParamKeyTable(),
	"gov":          gov.ParamKeyTable(),
	"mint":         mint.ParamKeyTable(),
	"slashing":     slashing.ParamKeyTable(),
	"staking":      staking.ParamKeyTable(),
}

type change struct {
	Subspace string `json:"subspace"`
	Key      string `json:"key"`
	Value    string `json:"value"`
}

// As the handler of a ParameterChangeProposal does it.
func judge(asked change) (fault string) {
	defer func() {
		if reason := recover(); reason != nil {
			fault = fmt.Sprint(reason)
		}
	}()
	key, transient := storetypes.NewKVStoreKey("params"), storetypes.NewTransientStoreKey("transient")
	ctx := testutil.DefaultContext(key, transient)
	cdc := codec.NewProtoCodec(codectypes.NewInterfaceRegistry())
	subspace := params.NewSubspace(cdc, codec.NewLegacyAmino(), key, transient, asked.Subspace)
	if err := subspace.WithKeyTable(tables[asked.Subspace]).Update(ctx, []byte(asked.Key), []byte(asked.Value)); err != nil {
		return err.Error()
	}
	return ""
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	for lines.Scan() {
		var asked change
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		text, _ := json.Marshal(map[string]string{"fault": judge(asked)})
		fmt.Println(string(text))
	}
}
