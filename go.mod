module qipu

go 1.26
